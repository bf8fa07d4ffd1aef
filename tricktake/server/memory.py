"""Bots that keep a memory of the game: one object for each chair of a table, which lives in one worker process.

If that process dies, or the whole server, the memory is made again: the chair's decisions in the running game are asked
for once more, and the answers thrown away.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import define, frozen

from tricktake.errors import TricktakeError
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.strategies.strategy import METHODS, Decision, Result, listens, tell
from tricktake.view import View

AGAIN = Limit(seconds=0.1)  # of a decision whose answer is known: a dozen of them fit into the clock of one


class Remembers(TricktakeError):
    """A player keeps a memory, so that it has to be asked together with its ``Past``."""


@frozen
class Past:
    """What a chair was asked before in the game number ``number`` (``game``: its spec), as views of its seat with the
    seeds of their random numbers.
    """

    table: int
    chair: int
    number: int
    game: str
    seat: int
    asked: tuple[tuple[View, int], ...] = ()


@define
class Kept:
    """A player with the memory of a chair. number: of the game it plays, -1 for none; asked: its decisions in it."""

    spec: str
    player: Player
    number: int = -1
    asked: int = 0
    said: Decision | None = None

    def decide(self, past: Past, view: View, limit: Limit, seed: int) -> Decision:
        """The decision of a player that has seen ``past``. A question asked twice has the answer it had."""
        self.catch_up(past)
        if self.asked == len(past.asked) or self.said is None:
            self.said = self._asked(view, limit, seed)
        return self.said

    def catch_up(self, past: Past) -> None:
        """Have it see what it has not seen of this game."""
        if self.number != past.number:
            self.number, self.asked = past.number, 0
            tell(self.player, "begin", past.game, past.seat)
        for view, seed in past.asked[self.asked :]:
            self._asked(view, AGAIN, seed)

    def _asked(self, view: View, limit: Limit, seed: int) -> Decision:
        self.asked += 1
        return self.player.decide(view, limit, np.random.default_rng(seed))


_kept: dict[tuple[int, int], Kept] = {}
"""Of this process, by table and chair."""


def keeps_memory(player: Player) -> bool:
    """Whether a player wants to hear where a game begins and ends."""
    return any(listens(player, method) for method in METHODS)


def kept(spec: str, past: Past) -> Kept:
    """The player of a chair."""
    place = (past.table, past.chair)
    if place not in _kept or _kept[place].spec != spec:
        _kept[place] = Kept(spec, Player.from_spec(spec))
    return _kept[place]


@frozen
class Ended:
    """Tell the player of a chair that its game is over."""

    table: int
    chair: int
    result: Result
    needs: ClassVar[str] = ""

    def __call__(self) -> None:
        found = _kept.get((self.table, self.chair))
        if found is not None and found.number >= 0:
            found.number = -1
            tell(found.player, "end", self.result)


@frozen
class Closed:
    """Tell the player of a chair that the table is closed, and forget it."""

    table: int
    chair: int
    needs: ClassVar[str] = ""

    def __call__(self) -> None:
        found = _kept.pop((self.table, self.chair), None)
        if found is not None:
            tell(found.player, "close")
