"""The Crew: cards, missions, the contract, tasks, radio, the game."""
