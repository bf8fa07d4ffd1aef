"""Experiments on the winning tables for Null."""
