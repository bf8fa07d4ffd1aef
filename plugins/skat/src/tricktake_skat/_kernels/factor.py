"""Suits of Skat as factors: the cards of one suit in order of strength."""

from tricktake.jit import lowbit_index, njit
from tricktake.kernels import factor
from tricktake_skat._kernels.cards import CLASS, GRAND, NULL, PLAIN, POWER, SUIT, TRUMPS

RETAKING, STRAIGHT, FROM_TOP = factor.RETAKING, factor.STRAIGHT, factor.FROM_TOP
TERNARY = factor.TERNARY
sequence_of, standing, tenaces = factor.sequence_of, factor.standing, factor.tenaces


@njit
def project(game, group, mask):
    """The cards of ``mask`` in the class ``group`` (a row of CLASS) as places in order of strength.

    Side suits have seven places; trumps eleven, the jacks at the top (also in a grand); suits of Null eight.
    """
    if game == NULL:
        found = 0
        cards = mask & group
        while cards:
            card = lowbit_index(cards)
            cards &= cards - 1
            found |= 1 << POWER[NULL, card]
        return found
    if group != TRUMPS[game]:
        return (mask & group) >> (lowbit_index(group) & ~7)
    found = 0
    if game < GRAND:
        found = mask >> 8 * game & PLAIN
    for suit in range(4):
        found |= (mask >> 8 * suit + 7 & 1) << (10 - suit)
    return found


@njit
def class_of(game, suit):
    """The class of a side suit or suit of Null (0 to 3), of the trumps for suit 4 or the trump suit itself."""
    if game == NULL:
        return SUIT << 8 * suit
    if suit == 4 or suit == game:
        return TRUMPS[game]
    return CLASS[game, 8 * suit]
