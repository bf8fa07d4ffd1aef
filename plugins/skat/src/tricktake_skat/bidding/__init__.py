"""Bidding by learned chances: what a hand is worth, which game to choose, how far to bid (SKAT-1 to 5, 16, 17)."""
