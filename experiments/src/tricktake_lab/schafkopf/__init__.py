"""Experiments with Schafkopf."""
