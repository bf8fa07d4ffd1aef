"""Pinochle: the cards and how they are played, melds, the game."""
