"""Discards as a strategy for the role exchange: ``skat:discard(method=proposed)``."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.action import Action
from tricktake.errors import InputError
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_skat._kernels.rule_bid import LOSS
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import GAME_NAMES, SkatContract
from tricktake_skat.deck import SKAT_PLACE
from tricktake_skat.discard import chance as chances
from tricktake_skat.discard import worth
from tricktake_skat.discard.explain import reason
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import Selector
from tricktake_skat.strategies.rule import Rule


@frozen
class Discarder:
    """Decides the game, then the discard: the game of the highest expected score, the same for all methods (SKAT-17).

    In a replay that keeps the contract it discards for that contract. Whether to pick up at all, and hand games, are
    left to the rule player (SKAT-4). Options: method and weights (``selection.Selector``), without (one rule to leave
    out), loss (points of a loss in the expected score, 50 or 90), chance ("rule" or "tables": who says how likely a win
    is).
    """

    roles: ClassVar[tuple[str, ...]] = ("exchange",)

    method: str = "proposed"
    weights: str = "default"
    without: str = ""
    loss: float = LOSS
    chance: str = "rule"
    selector: Selector = field(init=False, repr=False)

    @selector.default
    def _selector(self) -> Selector:
        return Selector(self.method, self.weights, (self.without,) if self.without else (), chances.named(self.chance))

    def __attrs_post_init__(self) -> None:
        if self.loss < 0:
            raise InputError(None, None, "loss", "must not be negative")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        hand_game = any(e.action.verb == "hand" for e in view.events)
        match view.phase:
            case "discard":
                return self._discard(view, rng)
            case "declaration" if not hand_game:
                return self._declare(view)
            case _:
                return Rule().decide(view, limit, rng)

    def _discard(self, view: View, rng: np.random.Generator) -> Decision:
        bids = highest_bids(view.events)
        cards = view.hand_mask
        game = view.contract.choice if isinstance(view.contract, SkatContract) else self._game(view, cards)
        selection = self.selector.select(Declarers.one(game, cards, view.seat, bids), rng)
        action = next(action for action in view.legal if action.mask == selection.discards[0])
        return Decision(action, f"for {GAME_NAMES[game]}: {reason(selection)}")

    def _declare(self, view: View) -> Decision:
        cards = view.hand_mask | view.known[SKAT_PLACE]
        name = GAME_NAMES[self._game(view, cards)]
        return Decision(Action("declare", name), "the highest expected score of all games")

    def _game(self, view: View, cards: int) -> int:
        bids = np.array([highest_bids(view.events)])
        return int(worth.best_games(self.selector.chance, np.array([cards]), np.array([view.seat]), bids, self.loss)[0])
