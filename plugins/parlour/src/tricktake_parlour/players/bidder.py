"""What a hand is worth in tricks by its high cards and its length in trumps, for the simple bidders of all games."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phases import PASS
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View

# The chance that a card with so many stronger ones outside of the hand takes a trick, if it is guarded by as many; the
# quick tricks of beginners' books (ace 1, king 1/2 in E. Culbertson, Contract Bridge Blue Book, 1930), queens less.
CHANCES = (1.0, 0.5, 0.25)
RUFF = 0.5  # a trump for each suit that is short
LONG = 0.75  # a trump beyond the share of a hand


def worth(rules: TrickRules, hand: int) -> float:
    """The tricks a hand may take by itself under these rules: high cards, long trumps, and trumps for short suits."""
    total = float((hand & rules.always_wins).bit_count())
    hand &= ~(rules.always_wins | rules.never_wins)
    sizes = [rules.suit_mask(suit).bit_count() for suit in range(max(rules.suit_of) + 1)]
    trumps = 0 if rules.trump is None else hand & rules.suit_mask(rules.trump)
    for suit, size in enumerate(sizes):
        held = hand & rules.suit_mask(suit)
        if not size:
            continue
        share = -(-size // rules.seats)
        for card in bits(held):
            above = sum(rules.power[c] > rules.power[card] for c in bits(rules.suit_mask(suit) & ~hand))
            below = sum(rules.power[c] < rules.power[card] for c in bits(held))
            if above < len(CHANCES) and below >= above:
                total += CHANCES[above]
            elif suit == rules.trump and below >= share:
                total += LONG
        if suit != rules.trump and trumps:
            total += RUFF * min(max(share - 1 - held.bit_count(), 0), trumps.bit_count())
    return total


class Bidder(abc.ABC):
    """A part that bids, and if its game has an exchange exchanges, by ``choose``. Keeps no state, uses no chance."""

    game: ClassVar[str]
    roles: ClassVar[tuple[str, ...]] = ("bid",)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for another game or role than its own."""
        if view.game != self.game or view.role not in self.roles:
            raise ValueError(f"this player bids {self.game}, not {view.game} in phase {view.phase}")
        if len(view.legal) == 1:
            return Decision(view.legal[0], "the only choice")
        return self.choose(view)

    @abc.abstractmethod
    def choose(self, view: View) -> Decision:
        """One of the legal actions, with its reason."""


def nearest(view: View, tricks: float) -> Action:
    """The legal bid of a number of tricks that is nearest to this one."""
    numbers = [action for action in view.legal if action.value.isdecimal()]
    if not numbers:  # partner has bid all
        return view.legal[0]
    return min(numbers, key=lambda action: (abs(int(action.value) - tricks), int(action.value)))


def best_bid(view: View, spare: Callable[[str], float], unit: str = "tricks") -> Decision:
    """The legal bid with most to spare, or a pass if there is none with something. spare: of the text of a bid."""
    bids = [action for action in view.legal if action.value]
    best = max(bids, key=lambda action: spare(action.value), default=None)
    if best is None or (spare(best.value) < 0 and PASS in view.legal):
        return Decision(PASS, "the hand is too weak for a bid")
    return Decision(best, f"{spare(best.value):+.1f} {unit} to spare")
