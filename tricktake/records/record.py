"""One recorded game, whatever format it came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from tricktake.action import Event
from tricktake.deal import Deal
from tricktake.game import Contract, Game
from tricktake.table import Table


@frozen
class GameRecord:
    """A game as it was recorded.

    game: registered name. id: unique within its source. board: number in its round (dealer, vulnerability).
    players: name of each seat. deal: as dealt. before: the actions before the tricks, None if they were not
    recorded; then ``contract`` and ``played`` (the deal after the exchange) start the play. contract is None for a
    passed-in deal. plays: the actions of the play, which may stop early.
    result: what the record itself claims, in the game's words (``points``, ``won`` ...), for ``verify``.
    notes: whatever else the format carried. source: ``file:line``, for messages.
    """

    game: str
    id: str
    deal: Deal
    board: int = 0
    players: tuple[str, ...] = ()
    before: tuple[Event, ...] | None = None
    contract: Contract | None = None
    played: Deal | None = None
    plays: tuple[Event, ...] = ()
    result: Mapping[str, Any] = field(factory=dict)
    notes: Mapping[str, Any] = field(factory=dict)
    source: str = ""

    @property
    def passed(self) -> bool:
        return self.contract is None

    def table_at_play(self, game: Game) -> Table:
        """The table at the first trick of the recorded contract. Raises ValueError for a passed-in deal."""
        if self.contract is None:
            raise ValueError(f"{self.source or self.id}: the deal was passed in")
        return game.at_contract(self.deal, self.contract, self.played, self.board)

    def table(self, game: Game) -> Table:
        """The whole record replayed by the rules. Raises IllegalAction where it breaks them."""
        if self.before is not None:
            return game.replay(self.deal, self.before + self.plays, self.board)
        if self.contract is None:
            return game.start(self.deal, self.board)
        table = self.table_at_play(game)
        for event in self.plays:
            table.apply(event.action, event.seat)
        return table
