"""What the open-card solver is asked about a game, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from tricktake.errors import InputError
from tricktake.table import Table
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

    @classmethod
    def of(cls, table: Table) -> Problem:
        """The play on a table with open cards and true partners, for the side of the declarer, or of the seat to move
        in games without one.

        Whoever asks what open cards say of a game, or which seats are the declarer's side, asks here. Raises
        InputError if there are no tricks to play.
        """
        if table.tricks is None:
            raise InputError(None, None, "contract", "there are no tricks to play")
        state = table.open_cards()
        declarer = -1 if table.contract is None else table.contract.declarer
        return cls(state, declarer if declarer >= 0 else state.turn)

    @property
    def side_mask(self) -> int:
        """The seats of the side, as a mask."""
        return self.state.rules.side_mask(self.seat)


@frozen
class Outcome:
    """The answer. value: final cost of the side with its credits, None if not asked. win: whether the side reaches
    its goal, None if that has no threshold. cards: value after each legal card, by name.
    """

    value: int | None = None
    win: bool | None = None
    cards: Mapping[str, int] = field(factory=dict)
    nodes: int = 0
