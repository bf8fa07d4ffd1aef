"""What a hand is worth, as features: of ten cards to bid on, or of ten cards and the two put away."""

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels.cards import ACES, GRAND, KINGS, NULL, PLAIN, POWER, SUIT, TENS, TRUMPS, eyes_of

F_ONE = 0
F_TRUMPS = 1
F_JACK = 2  # 2 to 5: clubs, spades, hearts, diamonds
F_TRUMP_ACE = 6
F_TRUMP_TEN = 7
F_LONG = 8  # trumps beyond six
F_VOIDS = 9
F_ACES = 10  # side aces without the ten
F_TWINS = 11  # side ace and ten
F_BARE_TENS = 12
F_TENS = 13  # guarded by one card
F_LONG_TENS = 14  # guarded by more
F_KINGS = 15  # guarded, without ace and ten
F_LOSERS = 16  # side cards that nothing says will win
F_MANY = 17  # losers beyond four
F_STANDING = 18  # side cards that stand below ace and ten
F_EYES = 19  # put away, in tens
F_FORE = 20
F_MIDDLE = 21
F_FORE_ACES = 22  # aces and twins in forehand
F_JACKS3 = 23  # jacks beyond two
F_SIZE = 24

N_ONE = 0
N_FORE = 1
N_VOIDS = 2
N_SINGLE = 3  # 3 to 7: single cards by power: the eight, nine, ten, jack, higher
N_SHORT_HOLE = 8  # two cards, small and large gap
N_SHORT_GAP = 9
N_LONG_HOLE = 10  # three cards and more, small and large gap
N_LONG_GAP = 11
N_HOLES = 12  # suits with a gap beyond the first
N_SEVENS = 13
N_WORST = 14  # the sum of the gaps
N_MIDDLE = 15
N_SIZE = 16


@njit
def trump_features(game, hand, put, seat, f):
    """Fill ``f`` (F_SIZE) for a suit or grand game."""
    f[:F_SIZE] = 0.0
    f[F_ONE] = 1.0
    own = hand & TRUMPS[game]
    f[F_TRUMPS] = popcount(own)
    jacks = 0
    for suit in range(4):
        has = hand >> (8 * suit + 7) & 1
        f[F_JACK + suit] = has
        jacks += has
    f[F_JACKS3] = max(0, jacks - 2)
    if game < GRAND:
        f[F_TRUMP_ACE] = 1.0 if own & ACES else 0.0
        f[F_TRUMP_TEN] = 1.0 if own & TENS else 0.0
        f[F_LONG] = max(0, popcount(own) - 6)
    losers = 0
    for suit in range(4):
        if suit == game:
            continue
        cards = (hand >> (8 * suit)) & PLAIN
        length = popcount(cards)
        if length == 0:
            f[F_VOIDS] += 1
            continue
        top = 0  # cards at the top of the suit
        for rank in range(6, -1, -1):
            if cards >> rank & 1:
                top += 1
            else:
                break
        if top >= 7 - length:
            top = length  # the others have no more than the top cards draw
        ten, king = cards & TENS & PLAIN, cards & KINGS & PLAIN
        if top == 1:
            f[F_ACES] += 1
        elif top >= 2:
            f[F_TWINS] += 1
            f[F_STANDING] += top - 2
        elif ten:
            if length == 1:
                f[F_BARE_TENS] += 1
            elif length == 2:
                f[F_TENS] += 1
            else:
                f[F_LONG_TENS] += 1
        elif king and length > 1:
            f[F_KINGS] += 1
        losers += length - top
    f[F_LOSERS] = losers
    f[F_MANY] = max(0, losers - 4)
    f[F_EYES] = eyes_of(put) / 10.0
    if seat == 0:
        f[F_FORE] = 1.0
        f[F_FORE_ACES] = f[F_ACES] + f[F_TWINS]
    elif seat == 1:
        f[F_MIDDLE] = 1.0


@njit
def null_features(hand, seat, f):
    """Fill ``f`` (N_SIZE) for a Null game.

    The i-th lowest card of a suit ducks as long as at most 2 i lower ones are missing: what goes beyond is its gap.
    """
    f[:N_SIZE] = 0.0
    f[N_ONE] = 1.0
    f[N_FORE] = 1.0 if seat == 0 else 0.0
    f[N_MIDDLE] = 1.0 if seat == 1 else 0.0
    for suit in range(4):
        cards = (hand >> (8 * suit)) & SUIT
        length = popcount(cards)
        if length == 0:
            f[N_VOIDS] += 1
            continue
        powers = 0
        mask = cards
        while mask:
            rank = lowbit_index(mask)
            mask &= mask - 1
            powers |= 1 << POWER[NULL, rank]
        worst, number, holes = 0, 0, 0
        f[N_SEVENS] += powers & 1
        while powers:
            power = lowbit_index(powers)
            powers &= powers - 1
            gap = power - 2 * number
            if gap > 0:
                holes += 1
                worst = max(worst, gap)
            number += 1
        if worst == 0:
            continue
        f[N_WORST] += worst
        f[N_HOLES] += holes - 1
        if length == 1:
            f[N_SINGLE + min(worst, 5) - 1] += 1
        elif length == 2:
            f[N_SHORT_HOLE if worst <= 2 else N_SHORT_GAP] += 1
        else:
            f[N_LONG_HOLE if worst <= 2 else N_LONG_GAP] += 1
