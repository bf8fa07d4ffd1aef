"""Slovenian Tarok: cards, contracts, what is decided before the tricks, scores, the game."""
