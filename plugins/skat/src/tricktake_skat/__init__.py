"""Skat for tricktake."""
