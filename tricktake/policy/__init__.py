"""Policies: card players as data, for every game whose play the rules can state."""
