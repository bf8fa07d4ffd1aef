"""Five Hundred: the cards and how they are played, what is bid, the game."""
