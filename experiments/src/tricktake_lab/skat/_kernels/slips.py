"""The rule player who now and then plays a legal card at random, so that there are players of different strength."""

from tricktake_skat.kernels import cards, rule_play
from tricktake_skat.kernels import position as P

from tricktake.jit import lowbit_index, njit, policy, popcount, words

SLIP = 60  # what decided: a card drawn at random, after the numbers of the rule player's rules
SURE = 1 << 32  # a chance of 1
CARDS = 30


@njit
def slip(key, legal):
    """A card drawn from those that may be played."""
    for _ in range((key * popcount(legal)) >> 32):
        legal &= legal - 1
    return lowbit_index(legal)


@njit
def by_rule_or_slip(p):
    """The rule player's card; with the chance ``DATA``, of ``SURE``, one drawn at random by ``KEY``."""
    card, p[P.WHY] = rule_play.choose(p)
    if p[P.DATA] > 0 and cards.mix(p[P.KEY], p[P.COUNT]) < p[P.DATA]:
        card, p[P.WHY] = slip(cards.mix(p[P.KEY], CARDS + p[P.COUNT]), p[P.LEGAL]), SLIP
    return card


@policy
def slipping(frame):
    """``by_rule_or_slip`` for the loop."""
    return by_rule_or_slip(words(frame, P.SIZE))
