"""Experiments with Doppelkopf."""
