"""Simple players of the parlour games: each bids by the tricks its hand is worth."""
