"""The index features of ten cards and the two discarded (KERMIT-5, 6, 8). Sets of cards are masks, 0 to 3 the suits.

A suit game has trumps as its context: few or many; a grand has the jacks and whether the declarer leads.
"""

from tricktake_skat.kernels import GRAND, bidding, cards

from tricktake.jit import njit, popcount

SIDES = 128  # cards of a suit without the jack, seven to ace from bit 0
TRUMPS = 2048  # the same with all jacks: diamonds bit 7, clubs bit 10
JACKS = 16
HIGH = cards.ACES | cards.TENS

FEW_TRUMPS = 5  # at most so many cards of the trump suit and jacks, discarded ones included
# Clipped counts: high cards to be caught, and own high cards that may be ruffed; in suit games and in grands.
TARGETS, VULNERABLE = 4, 3
GRAND_TARGETS, GRAND_VULNERABLE = 5, 5
CONTEXTS, GRAND_CONTEXTS = 2, 32

SIDE_CELLS, GRAND_SIDE_CELLS = CONTEXTS * SIDES * SIDES, GRAND_CONTEXTS * SIDES * SIDES
TRUMP_CELLS = TRUMPS * TARGETS * VULNERABLE
GRAND_TRUMP_CELLS = GRAND_CONTEXTS * GRAND_TARGETS * GRAND_VULNERABLE
ROUND = 2  # cards two opponents need to follow a round


@njit
def side_index(held, suit):
    """The seven bits of a suit."""
    return held >> 8 * suit & cards.PLAIN


@njit
def trump_index(held, suit):
    """The eleven bits of a suit with the jacks."""
    return held >> 8 * suit & cards.PLAIN | bidding.jack_places(held) << 7


@njit
def context_of(game, own, put, seat):
    """``tc``: 1 for six trumps or more; in a grand the jacks held, and 16 more for forehand."""
    if game == GRAND:
        return bidding.jack_places(own) | (16 if seat == 0 else 0)
    return 0 if popcount((own | put) & cards.TRUMPS[game]) <= FEW_TRUMPS else 1


@njit
def targets_of(game, own, put):
    """``tt``: aces and tens of side suits that the opponents hold, clipped."""
    most = GRAND_TARGETS if game == GRAND else TARGETS
    return min(most - 1, popcount(HIGH & ~cards.TRUMPS[game] & ~(own | put)))


@njit
def vulnerable_of(game, own, put):
    """``vt``: own aces and tens of side suits that may be ruffed, clipped.

    A ten without the ace; else a high card whose round (ace first, then ten) the opponents cannot both be expected to
    follow: they hold no more than two cards of the suit for each round up to it. (The paper does not say.)
    """
    most = GRAND_VULNERABLE if game == GRAND else VULNERABLE
    found = 0
    for suit in range(4):
        if suit == game:
            continue
        held = own >> 8 * suit & cards.PLAIN
        out = 7 - popcount((own | put) >> 8 * suit & cards.PLAIN)
        ace, ten = held >> cards.ACE & 1, held >> cards.TEN & 1
        if ace and out <= ROUND:
            found += 1
        if ten and (not ace or out <= 2 * ROUND):
            found += 1
    return min(most - 1, found)


@njit
def side_cell(context, held, put, suit):
    """The cell of ``sidePoints`` and ``sideTricks`` for a side suit: context, what was discarded, what is held."""
    return (context * SIDES + side_index(put, suit)) * SIDES + side_index(held, suit)


@njit
def trump_cell(game, own, put, seat):
    """The cell of ``trumpPoints`` and ``trumpTricks``."""
    targets, vulnerable = targets_of(game, own, put), vulnerable_of(game, own, put)
    if game == GRAND:
        context = context_of(game, own, put, seat)
        return (context * GRAND_TARGETS + targets) * GRAND_VULNERABLE + vulnerable
    return (trump_index(own, game) * TARGETS + targets) * VULNERABLE + vulnerable


@njit
def fill_cells(positions, sides, trumps):
    """The cells of positions (n, 4): game, own, put, seat. sides: (n, 4), -1 for the trump suit; trumps: (n,)."""
    for i in range(len(positions)):
        game, own, put, seat = positions[i, 0], positions[i, 1], positions[i, 2], positions[i, 3]
        context = context_of(game, own, put, seat)
        for suit in range(4):
            sides[i, suit] = -1 if suit == game else side_cell(context, own, put, suit)
        trumps[i] = trump_cell(game, own, put, seat)
