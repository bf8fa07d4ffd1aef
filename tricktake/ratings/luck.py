"""Correction of the scores of games for luck: the only part of a rating that depends on the game (ELO-11 to 16, 31).

A plugin registers a subclass of ``Luck`` as ``GAME.luck`` by ``register_ratings``.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray
from tricktake.errors import InputError
from tricktake.game import Game, Score
from tricktake.plugins import manager
from tricktake.records.record import GameRecord


@frozen
class Played:
    """A recorded game and its value."""

    record: GameRecord
    score: Score


class Luck(abc.ABC):
    """How a game corrects its scores: made with ``factors``, which are applied in that order. ``known`` names them."""

    known: ClassVar[tuple[str, ...]] = ()
    version: ClassVar[str] = "1"  # changes whenever the effect of a factor changes

    def __init__(self, factors: tuple[str, ...] = ()) -> None:
        for name in factors:
            if name not in self.known:
                raise InputError(
                    None, None, "luck", f"unknown factor {name!r}; known: {', '.join(self.known) or 'none'}"
                )
        self.factors = factors

    def chairs(self, game: Game) -> int:
        """Number of players of a table: more than the seats if some sit out."""
        return game.seats

    def length(self, game: Game) -> int:
        """Games of a full series."""
        return game.series

    @abc.abstractmethod
    def points(self, game: Game, played: Sequence[Played]) -> tuple[FloatArray, FloatArray]:
        """The points each game adds to each seat's series, and the part of them that is the value of the game.

        Both (n, chairs): the columns after those of the seats are for players who sit out, all alike.
        Raises InputError naming a record that lacks the necessary information.
        """


class Plain(Luck):
    """No correction: ``Game.series_points``, all of it value."""

    def points(self, game: Game, played: Sequence[Played]) -> tuple[FloatArray, FloatArray]:
        scores = np.array([game.series_points(p.score) for p in played], np.float64).reshape(len(played), game.seats)
        return scores, scores


def get_luck(game: Game, factors: Sequence[str] = ()) -> Luck:
    """The correction for this game with these factors. Raises InputError for a factor the game does not have."""
    registry, name = manager().ratings, f"{game.name}.luck"
    luck = registry.make(name, factors=tuple(factors)) if name in registry else Plain(tuple(factors))
    assert isinstance(luck, Luck)
    return luck
