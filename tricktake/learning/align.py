"""Deals and the games played of them, matched by their ids (OUTER-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, TypeVar

from tricktake.errors import InputError

D = TypeVar("D")
G = TypeVar("G")


def align(
    deals: Iterable[D],
    games: Iterable[G],
    deal_id: Callable[[D], Any] = attrgetter("id"),
    game_id: Callable[[G], Any] = attrgetter("id"),
) -> Iterator[tuple[D, G]]:
    """Each game with its deal. Both are in the same order; deals that were passed in have no game.

    While the ids differ only the deals advance. (The loop printed in the paper advances both, and loses the game after
    every deal that was passed in.) Raises InputError for a game that has no deal or is out of order.
    """
    waiting = iter(deals)
    for number, game in enumerate(games, 1):
        wanted = game_id(game)
        for deal in waiting:
            if deal_id(deal) == wanted:
                yield deal, game
                break
        else:
            raise InputError(None, None, f"game {number}", f"no deal with the id {wanted!r} is left for it")
