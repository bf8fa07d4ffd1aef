"""What a host says to an engine at one seat, whatever carries the messages: a pipe or a websocket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define

from tricktake.engine import protocol
from tricktake.game import Game, Score
from tricktake.search.limit import Limit
from tricktake.view import View


@define
class Dialogue:
    """number: of the last question. greeted: whether the engine knows of the running game."""

    number: int = 0
    greeted: bool = False
    _told: int = 0  # events of the running game
    _new: dict[str, Any] | None = None

    def new(self, game: Game, seat: int) -> None:
        """A game begins; told with the first question."""
        self._new, self.greeted = protocol.new(game, seat), False

    def question(
        self, view: View, limit: Limit, clock: Mapping[str, float | None], seed: int
    ) -> tuple[dict[str, Any], ...]:
        """The messages that ask for a decision: of the game, if the engine does not know of it, and the question."""
        greeting = () if self.greeted or self._new is None else (self._new,)
        if greeting:
            self.greeted, self._told = True, 0
        self.number += 1
        told, self._told = self._told, len(view.events)
        return (*greeting, protocol.decide(self.number, view, told, limit, clock, seed))

    def end(self, view: View, score: Score | None) -> tuple[dict[str, Any], ...]:
        """A game is over: nothing is told to an engine that was not asked in it."""
        told = (protocol.end(view, score),) if self.greeted else ()
        self._new, self.greeted = None, False
        return told

    def ping(self) -> dict[str, Any]:
        """A message that is to be answered by a pong with its number."""
        self.number += 1
        return {"type": "ping", "n": self.number}
