"""Tournaments: schedule, referee, workers, store, statistics and report; and the replay of recorded games."""
