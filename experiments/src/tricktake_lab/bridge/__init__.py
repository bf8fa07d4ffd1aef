"""Experiments on bridge."""
