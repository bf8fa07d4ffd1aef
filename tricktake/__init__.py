"""Trick-taking card games: rules as data, pure kernels, plugins by name."""

__version__ = "0.1.0"
