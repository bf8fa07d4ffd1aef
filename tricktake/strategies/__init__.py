"""Strategies: what decides for players, and the strategies every game can use."""
