"""Belote: the cards and how they are played, who makes trumps, the game."""
