"""Suits of Skat as factors (``tricktake.factor``): side suits have seven cards, the trumps of a suit game eleven."""

from __future__ import annotations

from tricktake.factor import FROM_TOP, RETAKING, expected
from tricktake_skat._kernels import factor as kernel
from tricktake_skat._kernels.cards import NULL

TRUMPS = 4  # number of the trumps for ``project``


def project(game: int, suit: int, mask: int) -> int:
    """The cards of one suit as a mask in order of strength.

    game: 0 to 3 for clubs to diamonds, 4 grand, 5 Null. suit: 0 to 3, or TRUMPS (4); the trump suit itself means the
    trumps with the jacks. Raises ValueError for numbers out of range and for trumps in Null.
    """
    if not 0 <= game <= 5 or not 0 <= suit <= TRUMPS or (game == 5 and suit == TRUMPS):
        raise ValueError(f"game {game} has no suit {suit}")
    return int(kernel.project(game, kernel.class_of(game, suit), mask))


def lost_cards(game: int, hand: int, out: int, cards: int = 10) -> float:
    """Tricks the hand is expected to lose (2.5), not rounded.

    hand, out: card masks; ``out`` is what the two others hold, in hands of ``cards``. With an unknown skat among
    ``out`` pass one card more.
    """
    lost = 0.0
    for suit in range(TRUMPS if game == NULL else TRUMPS + 1):
        if suit != game:
            own, others = project(game, suit, hand), project(game, suit, out)
            question = FROM_TOP if suit == TRUMPS else RETAKING
            lost += own.bit_count() - expected(own, others, cards, question)
    return lost
