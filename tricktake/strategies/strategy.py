"""Strategies: what bids, exchanges and plays. One gets a View and a Limit and returns a Decision with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from attrs import frozen

from tricktake.action import Action
from tricktake.search.limit import Limit
from tricktake.view import View

if TYPE_CHECKING:
    from tricktake.game import Score

METHODS = ("begin", "end", "close")  # what a strategy may have besides ``decide``


@frozen
class Decision:
    """A legal action of the view and, in one readable line, why it was chosen.

    failed: what went wrong on the way to it, a line each: strategies of the player that raised and were passed over.
    """

    action: Action
    reason: str = ""
    failed: tuple[str, ...] = ()


@runtime_checkable
class Strategy(Protocol):
    """What decides for a player, in one role or several. It keeps no state: the view holds the whole history.

    Its attribute ``roles`` names what it decides (``Phase.role``: bid, exchange and play in most games); without it
    the strategy decides everything.

    A strategy with a process or a memory of its own may have these methods besides, all optional: ``begin(game, seat)``
    with the game's spec, before its first decision in a game; ``end(result)``, a ``Result``, after the last;
    ``close()`` when it is not needed any more. They are limited and charged like decisions. A strategy that plays
    several seats is told of each. One that asks other strategies names them in its attribute ``parts`` (None where
    there is none), and they are told, too.

    rng: seeded from the game, the seat and the number of the decision, so that every decision can be repeated; no
    deal can be computed from it. Strategies are registered as ``plugin:name`` by factories that take keyword options.
    """

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision: ...


@frozen
class Result:
    """How a game ended for a seat: its last view, and the score; None if the game was not played to its end."""

    view: View
    score: Score | None


def whole(strategy: object) -> Iterator[object]:
    """A strategy and all that it is made of, each once."""
    seen, waiting = set[int](), [strategy]
    while waiting:
        part = waiting.pop(0)
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            waiting += (other for other in getattr(part, "parts", ()) if other is not None)


def listens(strategy: object, method: str) -> bool:
    """Whether a strategy, or one of those it is made of, has one of the optional methods."""
    return any(hasattr(part, method) for part in whole(strategy))


def tell(strategy: object, method: str, *facts: Any) -> None:
    """Call one of the optional methods of a strategy and of those it is made of, where they have it."""
    for part in whole(strategy):
        told = getattr(part, method, None)
        if told is not None:
            told(*facts)
