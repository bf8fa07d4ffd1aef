"""Experiments on the open-card solver."""
