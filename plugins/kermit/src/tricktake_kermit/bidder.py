"""``kermit:bidder``: bids, picks up, discards and declares by the chance to win (KERMIT-11, 12)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from attrs import field, frozen
from tricktake_skat.auction import highest_bids
from tricktake_skat.bidding.choice import game_text, hand_name
from tricktake_skat.contract import GAME_NAMES, SkatContract
from tricktake_skat.deck import SKAT_PLACE
from tricktake_skat.strategies.declaring import Declaring, asked_in

from tricktake.action import Action
from tricktake.errors import InputError
from tricktake.strategies.options import check_flag
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_kermit._kernels import evaluate as kernel
from tricktake_kermit.evaluation import SHIPPED, evaluation

THRESHOLD = 0.6  # of Kermit; his clone Zoot has 0.55
PLAIN_GAMES = kernel.CHOICES - 1  # Null ouvert is the last choice


@frozen(kw_only=True)
class KermitBidder(Declaring):
    """Bids as long as the value of the tree is at least ``threshold``, and takes the likeliest game.

    hands: whether hand games are played. ouvert: whether Null ouvert is among the games; the printed tree has six. A
    game that does not reach the bid counts as lost, which the paper does not say. model: ``kermit`` or a ``.glem``
    file. Raises InputError.
    """

    threshold: float = THRESHOLD
    hands: bool = field(default=True, validator=check_flag)
    ouvert: bool = field(default=True, validator=check_flag)
    model: str = SHIPPED

    def __attrs_post_init__(self) -> None:
        check_threshold(self.threshold, 1)
        evaluation(self.model)

    @property
    def games(self) -> int:
        """How many choices there are."""
        return kernel.CHOICES if self.ouvert else PLAIN_GAMES

    def value(self, hand: int, seat: int, bid: int) -> tuple[float, bool, int, str]:
        """The value of the tree of ten cards (mask), whether it is a hand game, which, and why."""
        found, shares, wins = _tree(self.model, hand, seat), np.zeros(kernel.CHOICES), np.zeros(kernel.CHOICES)
        chance, by_hand, choice = kernel.root(found, bid, self.games, self.hands, shares, wins)
        if by_hand:
            return (
                float(chance),
                True,
                int(choice),
                f"at {bid} {game_text(GAME_NAMES[choice])} from the hand {chance:.0%}",
            )
        order = [int(g) for g in np.argsort(-shares, kind="stable")[:3] if shares[g] > 0]
        said = ", ".join(f"{game_text(GAME_NAMES[g])} with {shares[g]:.0%} of the skats {wins[g]:.0%}" for g in order)
        return float(chance), False, int(choice), f"at {bid} won {chance:.0%}: {said or 'nothing reaches the bid'}"

    def bid(self, view: View) -> Decision:
        asked, agree, refuse = asked_in(view)
        if agree is None:
            return Decision(refuse, "no higher bid is left")
        chance, _, _, reason = self.value(view.hand_mask, view.seat, asked)
        return Decision(agree if chance >= self.threshold else refuse, f"{reason} (wants {self.threshold:.0%})")

    def pick_up(self, view: View) -> Decision:
        _, by_hand, _, reason = self.value(view.hand_mask, view.seat, max(highest_bids(view.events)))
        return Decision(Action("hand" if by_hand else "take"), reason)

    def discard(self, view: View) -> Decision:
        choice, chances, discards = self._options(view, view.hand_mask)
        if isinstance(view.contract, SkatContract):  # a replay that keeps it
            choice = view.contract.choice
            _, chances, discards = evaluation(self.model).discards(view.hand_mask, view.seat, 0, kernel.CHOICES)
        action = next(action for action in view.legal if action.mask == discards[choice])
        return Decision(action, f"{game_text(GAME_NAMES[choice])} won {chances[choice]:.0%}")

    def declare(self, view: View) -> Decision:
        if any(event.action.verb == "hand" for event in view.events):
            _, _, choice, reason = self.value(view.hand_mask, view.seat, max(highest_bids(view.events)))
            return Decision(Action("declare", hand_name(choice)), reason)
        choice, chances, _ = self._options(view, view.hand_mask | view.known[SKAT_PLACE])
        return Decision(
            Action("declare", GAME_NAMES[choice]), f"{game_text(GAME_NAMES[choice])} won {chances[choice]:.0%}"
        )

    def _options(self, view: View, cards: int) -> tuple[int, np.ndarray, np.ndarray]:
        bid = max(highest_bids(view.events))
        return evaluation(self.model).discards(cards, view.seat, bid, self.games)


@lru_cache(maxsize=64)
def _tree(model: str, hand: int, seat: int) -> kernel.Tree:
    """The tree of a hand; it does not depend on what others bid."""
    return evaluation(model).tree(hand, seat)


def check_threshold(value: object, most: float) -> None:
    """Raises InputError unless it is a number from 0 to ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise InputError(None, None, "threshold", f"must be a number from 0 to {most}, not {value!r}")
