"""Ratings of players from the scores of series, for games of skill and chance."""
