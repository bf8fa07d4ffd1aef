"""Winning tables for Null games of Skat."""
