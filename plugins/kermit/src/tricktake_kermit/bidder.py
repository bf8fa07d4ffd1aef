"""``kermit:bidder`` bids, picks up, discards and declares by the chance to win (KERMIT-11, 12), ``kermit:knn`` by the
eyes of similar hands (KERMIT-21).
"""

from __future__ import annotations

import abc
from functools import lru_cache

import numpy as np
from attrs import field, frozen
from tricktake_skat.auction import highest_bids
from tricktake_skat.bidding.choice import game_text, hand_name
from tricktake_skat.contract import GAME_NAMES, SkatContract
from tricktake_skat.deck import ALL_EYES, SKAT_PLACE
from tricktake_skat.strategies.declaring import Declaring, asked_in

from tricktake.action import Action
from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.strategies.options import check_flag, check_number
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_kermit._kernels import evaluate as kernel
from tricktake_kermit.evaluation import SHIPPED, evaluation
from tricktake_kermit.neighbours import neighbours

THRESHOLD = 0.6  # of Kermit; his clone Zoot has 0.55
EYES = 51  # of KNNDDSS in the paper's matches (KERMIT-21), "aggressive"
NEIGHBOURS = 20  # ours; the paper does not say (GAP-13)
PLAIN_GAMES = kernel.CHOICES - 1  # Null ouvert is the last choice


@frozen(kw_only=True)
class TreeBidder(Declaring):
    """Bids as long as the value of the bidding tree is enough, and takes what is worth most in it.

    hands: whether hand games are played. A game that does not reach the bid counts as lost, which is ours.
    """

    hands: bool = field(default=True, validator=check_flag)

    @property
    @abc.abstractmethod
    def least(self) -> float:
        """The value from which it bids, 0 to 1."""

    @property
    @abc.abstractmethod
    def games(self) -> int:
        """How many choices there are."""

    @abc.abstractmethod
    def tree(self, hand: int, seat: int) -> kernel.Tree:
        """The tree of ten cards (mask)."""

    @abc.abstractmethod
    def discards(self, twelve: int, seat: int) -> tuple[FloatArray, IntArray]:
        """Values and best discards (masks) of all choices of twelve cards (mask), (7,)."""

    @abc.abstractmethod
    def told(self, value: float) -> str:
        """A value in words."""

    def value(self, hand: int, seat: int, bid: int) -> tuple[float, bool, int, str]:
        """The value of the tree of ten cards (mask), whether it is a hand game, which, and why."""
        found, shares, values = self.tree(hand, seat), np.zeros(kernel.CHOICES), np.zeros(kernel.CHOICES)
        value, by_hand, choice = kernel.root(found, bid, self.games, self.hands, shares, values)
        if by_hand:
            said = f"at {bid} {game_text(GAME_NAMES[choice])} from the hand {self.told(value)}"
            return float(value), True, int(choice), said
        order = [int(g) for g in np.argsort(-shares, kind="stable")[:3] if shares[g] > 0]
        said = ", ".join(
            f"{game_text(GAME_NAMES[g])} with {shares[g]:.0%} of the skats {self.told(values[g])}" for g in order
        )
        return float(value), False, int(choice), f"at {bid} {self.told(value)}: {said or 'nothing reaches the bid'}"

    def bid(self, view: View) -> Decision:
        asked, agree, refuse = asked_in(view)
        if agree is None:
            return Decision(refuse, "no higher bid is left")
        value, _, _, reason = self.value(view.hand_mask, view.seat, asked)
        return Decision(agree if value >= self.least else refuse, f"{reason} (wants {self.told(self.least)})")

    def pick_up(self, view: View) -> Decision:
        _, by_hand, _, reason = self.value(view.hand_mask, view.seat, max(highest_bids(view.events)))
        return Decision(Action("hand" if by_hand else "take"), reason)

    def discard(self, view: View) -> Decision:
        values, discards = self.discards(view.hand_mask, view.seat)
        if isinstance(view.contract, SkatContract):  # a replay that keeps it
            choice = view.contract.choice
        else:
            choice = self._chosen(values, view.hand_mask, max(highest_bids(view.events)))
        action = next(action for action in view.legal if action.mask == discards[choice])
        return Decision(action, f"{game_text(GAME_NAMES[choice])} {self.told(values[choice])}")

    def declare(self, view: View) -> Decision:
        bid = max(highest_bids(view.events))
        if any(event.action.verb == "hand" for event in view.events):
            _, _, choice, reason = self.value(view.hand_mask, view.seat, bid)
            return Decision(Action("declare", hand_name(choice)), reason)
        cards = view.hand_mask | view.known[SKAT_PLACE]
        values, _ = self.discards(cards, view.seat)
        choice = self._chosen(values, cards, bid)
        return Decision(
            Action("declare", GAME_NAMES[choice]), f"{game_text(GAME_NAMES[choice])} {self.told(values[choice])}"
        )

    def _chosen(self, values: FloatArray, twelve: int, bid: int) -> int:
        """The choice worth most that reaches the bid, or of all if none does."""
        return int(kernel.chosen(values, twelve, bid, self.games))


@frozen(kw_only=True)
class KermitBidder(TreeBidder):
    """Bids as long as the chance to win is at least ``threshold``, and takes the likeliest game (KERMIT-11, 12).

    ouvert: whether Null ouvert is among the games; the printed tree has six. model: ``kermit`` or a ``.glem`` file.
    Raises InputError.
    """

    threshold: float = THRESHOLD
    ouvert: bool = field(default=True, validator=check_flag)
    model: str = SHIPPED

    def __attrs_post_init__(self) -> None:
        check_threshold(self.threshold, 1)
        evaluation(self.model)

    @property
    def least(self) -> float:
        return self.threshold

    @property
    def games(self) -> int:
        return kernel.CHOICES if self.ouvert else PLAIN_GAMES

    def tree(self, hand: int, seat: int) -> kernel.Tree:
        return _tree(self.model, hand, seat)

    def discards(self, twelve: int, seat: int) -> tuple[FloatArray, IntArray]:
        return evaluation(self.model).discards(twelve, seat)

    def told(self, value: float) -> str:
        return f"won {value:.0%}"


@frozen(kw_only=True)
class KnnBidder(TreeBidder):
    """Bids as long as the hands most like its own made ``threshold`` eyes, and takes the game in which they made most
    (KERMIT-21, GAP-13). It has no Null. k: how many neighbours. Raises InputError.
    """

    threshold: float = EYES
    k: int = field(default=NEIGHBOURS, validator=check_number)

    def __attrs_post_init__(self) -> None:
        check_threshold(self.threshold, ALL_EYES)

    @property
    def least(self) -> float:
        return self.threshold / ALL_EYES

    @property
    def games(self) -> int:
        return kernel.TRUMP_GAMES

    def tree(self, hand: int, seat: int) -> kernel.Tree:
        return _neighbours_tree(self.k, hand, seat)

    def discards(self, twelve: int, seat: int) -> tuple[FloatArray, IntArray]:
        values, discards = evaluation().discards(twelve, seat)  # Null, where a replay keeps it
        trumps = neighbours(self.k).discards(twelve, seat)
        values[: self.games], discards[: self.games] = trumps
        return values, discards

    def told(self, value: float) -> str:
        return f"{ALL_EYES * value:.0f} eyes"


@lru_cache(maxsize=64)
def _tree(model: str, hand: int, seat: int) -> kernel.Tree:
    """The tree of a hand; it does not depend on what others bid."""
    return evaluation(model).tree(hand, seat)


@lru_cache(maxsize=64)
def _neighbours_tree(k: int, hand: int, seat: int) -> kernel.Tree:
    return neighbours(k).tree(hand, seat)


def check_threshold(value: object, most: float) -> None:
    """Raises InputError unless it is a number from 0 to ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise InputError(None, None, "threshold", f"must be a number from 0 to {most}, not {value!r}")
