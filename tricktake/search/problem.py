"""What a game asks the open-card solver about a record, and what it is told."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from tricktake.trick import TrickState


@frozen(eq=False)
class Problem:
    """A position whose value is asked, for the side of ``seat``. cards: the value after each legal card, too.

    Problems of the same rules and side that follow each other are solved together: if they are of one deal, what was
    learned of one serves the next.
    """

    state: TrickState
    seat: int
    cards: bool = False


@frozen
class Outcome:
    """The answer. value: final cost of the side with its credits, None if not asked. win: whether the side reaches
    its goal, None if that has no threshold. cards: value after each legal card, by name.
    """

    value: int | None = None
    win: bool | None = None
    cards: Mapping[str, int] = field(factory=dict)
    nodes: int = 0
