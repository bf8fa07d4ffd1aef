"""Schafkopf for tricktake."""
