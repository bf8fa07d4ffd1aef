"""Passing three cards before the play."""

from __future__ import annotations

from tricktake import phases

# Boards in turn pass to the left, to the right, across, and not at all.
DIRECTIONS = (1, 3, 2, 0)


class Passing(phases.Passing):
    """Every seat puts three cards face down for another; nobody sees what he gets before all have put theirs."""

    count = 3
    steps = DIRECTIONS
