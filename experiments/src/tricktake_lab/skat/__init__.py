"""Experiments on Skat."""
