"""How often something may happen."""

from __future__ import annotations


class Rate:
    """A bucket that fills by ``rate`` a second up to ``burst``; each message takes one out."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst = rate, burst
        self.left, self.at = float(burst), now

    def owed(self, now: float) -> float:
        """Take one out: the seconds to wait until it is allowed."""
        self.left = min(float(self.burst), self.left + (now - self.at) * self.rate)
        self.at = now
        self.left -= 1
        return max(0.0, -self.left / self.rate)
