"""What strategies have in common that bid, exchange and declare."""

from __future__ import annotations

import abc
from typing import ClassVar

import numpy as np

from tricktake.action import Action
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_skat.auction import highest_bids


class Declaring(abc.ABC):
    """A strategy for all that is decided before the play, with a method for each phase."""

    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        match view.phase:
            case "auction":
                return self.bid(view)
            case "skat":
                return self.pick_up(view)
            case "discard":
                return self.discard(view)
            case _:
                return self.declare(view)

    @abc.abstractmethod
    def bid(self, view: View) -> Decision: ...

    @abc.abstractmethod
    def pick_up(self, view: View) -> Decision: ...

    @abc.abstractmethod
    def discard(self, view: View) -> Decision: ...

    @abc.abstractmethod
    def declare(self, view: View) -> Decision: ...


def asked_in(view: View) -> tuple[int, Action | None, Action]:
    """The bid that a seat is asked to make or hold, how to (None if no bid is left), and how to pass."""
    actions = {action.verb: action for action in reversed(view.legal)}  # the lowest bid of all
    agree = actions.get("yes") or actions.get("bid")
    asked = int(agree.value) if agree is not None and agree.verb == "bid" else max(highest_bids(view.events))
    return asked, agree, actions["pass"]
