"""A bidder by the rules of thumb of beginners' books: trumps and losers are counted, nothing is searched."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.phases import PASS
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_schafkopf.deck import SUITS
from tricktake_schafkopf.phases import DOUBLE
from tricktake_schafkopf.rules import trumps_mask

DOUBLE_TOPS = 4  # Ober and Unter with which the stake is doubled
RUF_TRUMPS, RUF_TOPS = 0.6, 2  # share of the hand that is trumps, and Ober and Unter among them, to call an ace
SOLO_TRUMPS, SOLO_TOPS = 0.75, 4
FARB_TRUMPS = 0.6  # with a suit of trumps below Unter or Ober
TOPS = 2  # Unter for a wenz, Ober for a geier
LOSERS = 2  # cards outside of trumps that may lose a trick in a game of one against three


@frozen
class Hand:
    """A hand, counted."""

    deck: Deck
    mask: int

    @property
    def size(self) -> int:
        return self.mask.bit_count()

    def trumps(self, game: str, suit: str) -> int:
        return (self.mask & trumps_mask(self.deck, game, suit)).bit_count()

    def losers(self, game: str, suit: str) -> int:
        """Cards of plain suits that are no ace, and no ten with its ace."""
        plain = self.mask & ~trumps_mask(self.deck, game, suit)
        lost = 0
        for s in SUITS:
            mine = plain & self.deck.of_suit_mask(s)
            ace, ten = mine & self.deck.card(f"{s}A").mask, mine & self.deck.card(f"{s}Z").mask
            lost += mine.bit_count() - (ace != 0) - (ace != 0 and ten != 0)
        return lost

    def suit(self, game: str) -> str:
        """The best suit of trumps for a game with one."""
        return max(SUITS, key=lambda s: (self.trumps(game, s), -self.losers(game, s)))


class Rule:
    """Doubles with many Ober and Unter, calls an ace with more than half trumps, plays alone with hardly a loser."""

    roles: ClassVar[tuple[str, ...]] = ("bid",)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for another game or role than its own."""
        if view.game != "schafkopf" or view.role not in self.roles:
            raise ValueError(f"the rule bidder bids in schafkopf, not in {view.game}, phase {view.phase}")
        hand = Hand(view.layout.deck, view.hand_mask)
        if view.phase == "doubling":
            tops = hand.trumps("solo", "")
            return Decision(DOUBLE if tops >= DOUBLE_TOPS else PASS, f"{tops} Ober and Unter")
        return _bid(view, hand) if view.phase == "auction" else _declare(view, hand)


def _bid(view: View, hand: Hand) -> Decision:
    """The highest game that is good enough, if it beats what was bid."""
    for bid in ("solo-sie", "solo", "wenz", "farbwenz", "geier", "farbgeier", "ruf"):
        action = Action("bid", bid)
        if action in view.legal and (reason := _fits(hand, bid)):
            return Decision(action, reason)
    return Decision(PASS, "not enough trumps")


def _fits(hand: Hand, bid: str) -> str:
    """Why a hand is good enough for a game, "" if it is not."""
    if bid == "solo-sie":
        return "all highest trumps"
    game = bid.removeprefix("farb")
    suit = "H" if bid == "ruf" else hand.suit(game) if bid != game or bid == "solo" else ""
    trumps, losers = hand.trumps(game, suit), hand.losers(game, suit)
    said = f"{trumps} trumps, {losers} losers"
    if bid == "ruf":
        good = trumps >= RUF_TRUMPS * hand.size and hand.trumps("solo", "") >= RUF_TOPS
    elif bid == "solo":
        good = trumps >= SOLO_TRUMPS * hand.size and hand.trumps("solo", "") >= SOLO_TOPS and losers <= LOSERS
    else:
        enough = not suit or trumps >= FARB_TRUMPS * hand.size
        good = enough and hand.trumps(game, "") >= TOPS and losers <= LOSERS
    return said if good else ""


def _declare(view: View, hand: Hand) -> Decision:
    """The suit of most trumps; or the ace of the shortest suit, where the partner may be found or trumped."""
    if view.legal[0].verb == "call":

        def length(action: Action) -> tuple[int, int]:
            suit = hand.mask & hand.deck.of_suit_mask(action.value[0]) & ~trumps_mask(hand.deck, "ruf", "H")
            return (suit.bit_count(), SUITS.index(action.value[0]))

        return Decision(min(view.legal, key=length), "the shortest suit")
    bid = next(e.action.value for e in reversed(view.events) if e.action.verb == "bid")
    return Decision(Action("name", hand.suit(bid.removeprefix("farb").partition("-")[0])), "most trumps")
