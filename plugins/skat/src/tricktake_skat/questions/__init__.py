"""The questions Skat asks of its games (OUTER-17 to 18); those of Null are in a plugin of their own."""
