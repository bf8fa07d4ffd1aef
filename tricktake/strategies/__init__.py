"""Strategies: replaceable parts of players, and the parts every game can use."""
