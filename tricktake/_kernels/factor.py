"""One suit by itself: what the cards of a factor win when one side leads them and two others follow.

A factor is a pair of masks over the cards of one suit in order of strength, bit 0 the weakest: those of the side that
leads and those of the others; cards out of play are in neither. Only the order of the cards in play counts, so each
factor has a ``sequence``: a one and then, from the strongest card down, a one for own and a zero for others.
"""

import numpy as np

from tricktake._kernels._jit import highbit_index, lowbit_index, njit, popcount

LONGEST = 11  # cards of a suit
SEQUENCES = 1 << LONGEST + 1
HANDS = 12  # hand sizes 0 to 11
DEALS = (3 ** (LONGEST + 1) - 1) // 2  # own, left or right for each of 0 to 11 cards

# What is asked of a deal of the suit.
RETAKING = 0  # tricks won if the lead comes back after each that is lost
STRAIGHT = 1  # tricks won before the first that is lost
FROM_TOP = 2  # as retaking, always leading the strongest
QUESTIONS = 3

TERNARY = np.array([sum(3**i for i in range(LONGEST) if m >> i & 1) for m in range(1 << LONGEST)], np.int64)
OFFSETS = np.array([(3**n - 1) // 2 for n in range(LONGEST + 1)], np.int64)
CHOOSE = np.zeros((23, 23))
for _n in range(23):
    CHOOSE[_n, 0] = 1.0
    for _k in range(1, _n + 1):
        CHOOSE[_n, _k] = CHOOSE[_n - 1, _k - 1] + CHOOSE[_n - 1, _k]


@njit
def drop(mask, bit):
    """``mask`` without the place ``bit`` (1 << i): all above move down by one."""
    return (mask & (bit - 1)) | ((mask >> 1) & ~(bit - 1))


@njit
def after(left, right, a, b, c):
    """The parts of both others once the places of three cards are gone; bits, 0 for no card."""
    for _ in range(3):
        top = a if a > b else b
        top = top if top > c else c
        if top == 0:
            break
        left, right = drop(left, top), drop(right, top)
        if a == top:
            a = 0
        elif b == top:
            b = 0
        else:
            c = 0
    return left, right


@njit
def cheapest_above(mask, card):
    """The lowest bit of ``mask`` above the bit ``card``; 0 if there is none."""
    higher = mask & ~((card << 1) - 1)
    return higher & -higher


@njit
def lead_value(values, question, n, left, right, lead):
    """Tricks won from n cards by leading ``lead`` (a bit), both others knowing all.

    A follower who does not win plays the lowest, who wins takes the cheapest: more is never needed, because a higher
    card left is never worse.
    """
    low_l, low_r = left & -left, right & -right
    worst = 1 << 30
    for reply in range(3):
        reply_l, reply_r = low_l, low_r
        if reply == 1:
            reply_l = cheapest_above(left, lead)
            if reply_l == 0:
                continue
        elif reply == 2:
            reply_r = cheapest_above(right, lead)
            if reply_r == 0:
                continue
        won = reply_l < lead and reply_r < lead
        if won or question != STRAIGHT:
            rest_l, rest_r = after(left, right, lead, reply_l, reply_r)
            m = n - 1 - (reply_l != 0) - (reply_r != 0)
            total = won + values[question, OFFSETS[m] + TERNARY[rest_l] + 2 * TERNARY[rest_r]]
        else:
            total = 0
        if total < worst:
            worst = total
    return worst


@njit
def solve(values, longest):
    """Fill (QUESTIONS, DEALS): tricks won with best play of all sides, all cards seen, from up to ``longest`` cards.

    The index of a deal of n cards is OFFSETS[n] plus one digit in base 3 for each card: own, left, right.
    """
    for n in range(longest + 1):
        full = (1 << n) - 1
        for both in range(1 << n):
            own = full & ~both
            left = both
            while True:
                right = both & ~left
                index = OFFSETS[n] + TERNARY[left] + 2 * TERNARY[right]
                for question in range(QUESTIONS):
                    best = popcount(own) if both == 0 else 0
                    leads = own if both != 0 else 0
                    if question == FROM_TOP and leads != 0:
                        leads = 1 << highbit_index(own)
                    while leads:
                        lead = leads & -leads
                        leads ^= lead
                        value = lead_value(values, question, n, left, right, lead)
                        if value > best:
                            best = value
                    values[question, index] = best
                if left == 0:
                    break
                left = (left - 1) & both


@njit
def split_chance(m, i, hand):
    """Chance that the left of two hands of ``hand`` unknown cards has i of m outstanding ones."""
    if m > 2 * hand:
        return CHOOSE[m, i] / 2.0**m  # more than fit: any split, so that there is an answer
    if i > hand or m - i > hand:
        return 0.0
    return CHOOSE[m, i] * CHOOSE[2 * hand - m, hand - i] / CHOOSE[2 * hand, hand]


@njit
def tabulate(values, longest, split, expected, sure, lead):
    """Averages over the places of the outstanding cards.

    values: from ``solve``. Filled are split (QUESTIONS, SEQUENCES, LONGEST + 1): mean tricks if the left other holds
    so many of them, expected (QUESTIONS, HANDS, SEQUENCES): mean tricks against two hands of so many cards,
    sure (SEQUENCES,): tricks retaking against any split, lead (HANDS, SEQUENCES): bit number of the best lead.
    """
    sums = np.zeros((LONGEST, 2, LONGEST + 1))
    worth = np.zeros((LONGEST, 2))
    for n in range(longest + 1):
        full = (1 << n) - 1
        for own in range(1 << n):
            sequence = 1 << n | own
            both = full & ~own
            m = popcount(both)
            sums[:] = 0.0
            least = 1 << 30
            left = both
            while True:
                right = both & ~left
                i = popcount(left)
                index = OFFSETS[n] + TERNARY[left] + 2 * TERNARY[right]
                for question in range(QUESTIONS):
                    split[question, sequence, i] += values[question, index] / CHOOSE[m, i]
                if values[RETAKING, index] < least:
                    least = values[RETAKING, index]
                leads = own
                while leads:
                    card = lowbit_index(leads)
                    leads &= leads - 1
                    for question in range(2):
                        value = lead_value(values, question, n, left, right, 1 << card)
                        sums[card, question, i] += value / CHOOSE[m, i]
                if left == 0:
                    break
                left = (left - 1) & both
            sure[sequence] = least
            for hand in range(HANDS):
                worth[:] = 0.0
                for i in range(m + 1):
                    chance = split_chance(m, i, hand)
                    for question in range(QUESTIONS):
                        expected[question, hand, sequence] += chance * split[question, sequence, i]
                    for card in range(n):
                        for question in range(2):
                            worth[card, question] += chance * sums[card, question, i]
                lead[hand, sequence] = -1
                for card in range(n):
                    if not own >> card & 1:
                        continue
                    best = lead[hand, sequence]
                    ahead = 1.0 if best < 0 else worth[card, RETAKING] - worth[best, RETAKING]
                    if -1e-9 < ahead < 1e-9:
                        ahead = worth[card, STRAIGHT] - worth[best, STRAIGHT]
                    # of equals the strongest if it wins, the weakest if it does not
                    if ahead > 1e-9 or (ahead > -1e-9 and 1 << card > both):
                        lead[hand, sequence] = card


# ---- asking -------------------------------------------------------------------------------------------------------


@njit
def sequence_of(own, others):
    """The sequence of a factor: index of the tables."""
    found = 1
    play = own | others
    while play:
        bit = 1 << highbit_index(play)
        play ^= bit
        found = found << 1 | (own & bit != 0)
    return found


@njit
def standing(own, others):
    """Own cards that stand whatever the others hold: all if the top run is as long as what is outstanding (2.6)."""
    top = own & ~((1 << highbit_index(others) + 1) - 1) if others else own
    run = popcount(top)
    return popcount(own) if run >= popcount(others) else run


@njit
def tenaces(own, others):
    """Outstanding cards directly between two own ones among the top seven in play, at most 3 (2.3)."""
    found = 0
    before, middle = -1, -1
    play = own | others
    for _ in range(7):
        if play == 0:
            break
        bit = 1 << highbit_index(play)
        play ^= bit
        mine = 1 if own & bit else 0
        if before == 1 and middle == 0 and mine == 1:
            found += 1
        before, middle = middle, mine
    return found if found < 3 else 3
