"""Notations of bridge records."""
