"""Search: limits and results, the open-card solver, and the searches built on it."""
