"""Suit factors: one suit by itself as a small game, solved once and looked up (KBPS-3, SKAT-7, GAP-6).

A factor is a pair of masks over one suit in order of strength, bit 0 the weakest card: own cards and those of the two
others; what has been played or put away is in neither. Suits have up to 11 cards; since cards out of play only close
the ranks, a factor is looked up by the *sequence* of own and other cards (4,096 of them). The small game is that of one
hand against two: the owner leads every round, both others follow while they can and know all cards; a split of the
outstanding cards has its hypergeometric chance.

For kernels: ``tricktake.kernels.factor`` has the same functions; pass them ``tables().expected`` and the like.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.kernels import factor as kernel

__all__ = [
    "FROM_TOP",
    "RETAKING",
    "STRAIGHT",
    "Factors",
    "best_lead",
    "code",
    "expected",
    "given_split",
    "sequence",
    "standing",
    "sure",
    "tables",
    "tenaces",
]


RETAKING, STRAIGHT, FROM_TOP = kernel.RETAKING, kernel.STRAIGHT, kernel.FROM_TOP
"""Questions: all tricks if the lead comes back, those before the first loss, all when leading from the top."""


@frozen(eq=False)
class Factors:
    """The solved factors, indexed by ``sequence``. The questions are RETAKING, STRAIGHT and FROM_TOP.

    expected: (question, hand size 0 to 11, sequence) mean tricks. split: (question, sequence, i) mean tricks if one of
    the others, say the left, holds i of the outstanding cards. sure: (sequence,) tricks, retaking, against every split.
    lead: (hand size, sequence) number, among the cards in play, of the best card to lead; -1 without cards.
    sequences: (3**11,) the sequence of each ``code``.
    """

    expected: FloatArray
    split: FloatArray
    sure: IntArray
    lead: IntArray
    sequences: IntArray


@cache
def tables() -> Factors:
    """The tables, solved at the first call of a process."""
    values = np.zeros((kernel.QUESTIONS, kernel.DEALS), np.int64)
    kernel.solve(values, kernel.LONGEST)
    split = np.zeros((kernel.QUESTIONS, kernel.SEQUENCES, kernel.LONGEST + 1))
    expected = np.zeros((kernel.QUESTIONS, kernel.HANDS, kernel.SEQUENCES))
    sure = np.zeros(kernel.SEQUENCES, np.int64)
    lead = np.full((kernel.HANDS, kernel.SEQUENCES), -1, np.int64)
    kernel.tabulate(values, kernel.LONGEST, split, expected, sure, lead)
    return Factors(expected, split, sure, lead, _sequences())


def _sequences() -> IntArray:
    """The sequence of each ternary code, digit by digit from the weakest card."""
    found = np.ones(1, np.int64)
    for _ in range(kernel.LONGEST):
        # One place more above: out of play leaves the sequence, own or others puts a digit behind the leading one.
        top = 1 << np.floor(np.log2(found)).astype(np.int64)
        rest = found - top
        found = np.concatenate((found, 2 * top + top + rest, 2 * top + rest))
    return found


def _check(own: int, others: int) -> None:
    if own & others or not 0 <= own | others < 1 << kernel.LONGEST:
        raise ValueError(f"{own:#x} and {others:#x} are no factor: masks below 2**11 without a common card")


def _check_hand(cards: int) -> None:
    if not 0 <= cards < kernel.HANDS:
        raise ValueError(f"hands have 0 to {kernel.HANDS - 1} cards, not {cards}")


def code(own: int, others: int) -> int:
    """The ternary code: a digit for each card, 1 own, 2 with the others, 0 out of play. Raises ValueError."""
    _check(own, others)
    return int(kernel.TERNARY[own] + 2 * kernel.TERNARY[others])


def sequence(own: int, others: int) -> int:
    """The index of the tables: a one, then from the strongest card in play a one for own, a zero for others."""
    _check(own, others)
    return int(kernel.sequence_of(own, others))


def standing(own: int, others: int) -> int:
    """Own cards that stand in the worst case (2.6): the top ones, or all if those draw every card outstanding."""
    _check(own, others)
    return int(kernel.standing(own, others))


def sure(own: int, others: int) -> int:
    """Tricks the suit wins against every split if the lead can always be regained: "100 % standing" (SKAT-7)."""
    return int(tables().sure[sequence(own, others)])


def expected(own: int, others: int, cards: int = 10, question: int = RETAKING) -> float:
    """Mean tricks of the suit against two hands of ``cards`` unknown cards each (SKAT-7).

    question: RETAKING, STRAIGHT (only before the first loss) or FROM_TOP (always the strongest). If two of the unknown
    cards lie aside (a skat, a talon), ``cards`` plus one is a good approximation. Raises ValueError.
    """
    _check_hand(cards)
    return float(tables().expected[question, cards, sequence(own, others)])


def given_split(own: int, others: int, held: int, question: int = RETAKING) -> float:
    """Mean tricks if one of the others holds just ``held`` of the outstanding cards; 0 for a known void."""
    if not 0 <= held <= others.bit_count():
        raise ValueError(f"of {others.bit_count()} cards nobody holds {held}")
    return float(tables().split[question, sequence(own, others), held])


def best_lead(own: int, others: int, cards: int = 10) -> int:
    """The place (bit number) of the own card whose lead wins most; -1 without cards.

    Of equals the strongest if nothing beats it, otherwise the weakest.
    """
    _check_hand(cards)
    rank = int(tables().lead[cards, sequence(own, others)])
    for place in range(kernel.LONGEST):
        if (own | others) >> place & 1:
            if rank == 0:
                return place
            rank -= 1
    return -1


def tenaces(own: int, others: int) -> int:
    """Outstanding cards that lie directly between two own ones, 0 to 3, among the top seven in play (2.3)."""
    _check(own, others)
    return int(kernel.tenaces(own, others))
