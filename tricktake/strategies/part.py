"""The former place of ``tricktake.strategies.strategy``, for plugins written before."""

from tricktake.strategies.strategy import METHODS, Decision, Result, Strategy, tell

__all__ = ["METHODS", "Decision", "Part", "Result", "tell"]

Part = Strategy
