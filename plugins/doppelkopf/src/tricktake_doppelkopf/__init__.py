"""Doppelkopf for tricktake."""
