"""A player by the simple rules of beginners' books: duck, discard dangerous cards, never shoot the moon."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from tricktake.action import Action, play
from tricktake.cards import bits
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.trick import best_card
from tricktake.view import View
from tricktake_hearts.game import HEARTS, MOON

GUARDS = 4  # so many spades below the queen keep her, the king and the ace at home
_SPADES = HEARTS.of_suit_mask("S")
_HEARTS = HEARTS.of_suit_mask("H")
_QUEEN = HEARTS.card("SQ").index
_ABOVE_QUEEN = HEARTS.parse_mask("SK SA")
_RANKS = len(HEARTS.ranks)


class Rule:
    """Never passes guarded spades, passes high cards first; plays its highest card below the best of the trick."""

    roles: ClassVar[tuple[str, ...]] = ("exchange", "play")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for another game or role than its own."""
        if view.game != "hearts" or view.role not in self.roles:
            raise ValueError(f"the rule player plays hearts, not {view.game} in phase {view.phase}")
        return _pass(view) if view.role == "exchange" else _play(view)


def _pass(view: View) -> Decision:
    cards = sorted(bits(view.hand_mask), key=lambda card: (_danger(card, view.hand_mask), card))[-3:]
    return Decision(Action("pass", cards=tuple(sorted(cards))), "the three most dangerous cards")


def _danger(card: int, hand: int) -> int:
    """How dangerous a card is: high cards of short suits, and high spades without guards."""
    suit = HEARTS.of_suit_mask(HEARTS[card].suit)
    rank = card % _RANKS
    if suit == _SPADES:
        guarded = (hand & _SPADES & ((1 << _QUEEN) - 1)).bit_count() >= GUARDS
        return -1 if guarded or card < _QUEEN else 3 * _RANKS + (card == _QUEEN)
    return 2 * rank - (hand & suit).bit_count() + 2 * (suit == _HEARTS)


def _play(view: View) -> Decision:
    cards = sorted(bits(view.legal_cards_mask()), key=lambda card: (card % _RANKS, card))
    if len(cards) == 1:
        return _decision(cards[0], "the only card")
    if not view.table:
        return _lead(view, cards)
    if HEARTS[cards[0]].suit != HEARTS[view.table[0]].suit:
        return _discard(view, cards)
    return _follow(view, cards)


def _lead(view: View, cards: list[int]) -> Decision:
    """The card most likely to be beaten: many higher ones are out, few lower ones."""

    def chance(card: int) -> tuple[int, int]:
        out = view.unseen_mask & HEARTS.of_suit_mask(HEARTS[card].suit)
        higher, lower = (out >> card + 1).bit_count(), (out & ((1 << card) - 1)).bit_count()
        queen_is_out = bool(view.unseen_mask >> _QUEEN & 1)
        risky = card == _QUEEN or (queen_is_out and bool(_ABOVE_QUEEN >> card & 1))
        return (higher - lower - (MOON if risky or not higher else 0), -card)

    card = max(cards, key=chance)
    return _decision(card, "most likely to be beaten")


def _discard(view: View, cards: list[int]) -> Decision:
    if _QUEEN in cards:
        return _decision(_QUEEN, "the queen goes to somebody else")
    high_spades = [c for c in cards if _ABOVE_QUEEN >> c & 1]
    if high_spades and view.unseen_mask >> _QUEEN & 1:
        return _decision(high_spades[-1], "would take the queen")
    hearts = [c for c in cards if _HEARTS >> c & 1]
    if hearts:
        return _decision(hearts[-1], "the highest heart goes to somebody else")
    return _decision(cards[-1], "the highest card")


def _follow(view: View, cards: list[int]) -> Decision:
    rules = view.rules
    assert rules is not None
    best = best_card(rules, view.table)
    below = [c for c in cards if not rules.beats(c, best)]
    if _QUEEN in below:
        return _decision(_QUEEN, "the queen goes to a higher spade")
    if below:
        return _decision(below[-1], "the highest that does not take the trick")
    wanted = [c for c in cards if c != _QUEEN] or cards
    if len(view.table) == view.layout.seats - 1:
        return _decision(wanted[-1], "takes the trick anyway, so with the highest")
    return _decision(wanted[0], "the lowest; somebody may beat it")


def _decision(card: int, reason: str) -> Decision:
    return Decision(play(card), f"{HEARTS[card].name}: {reason}")
