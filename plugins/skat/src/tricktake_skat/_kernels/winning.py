"""How likely the declarer wins, by the learned tables: one function for every game, for bidding and putting."""

from tricktake.jit import njit, popcount
from tricktake.kernels import UNKNOWN, probability
from tricktake_skat._kernels.cards import GRAND, NULL, TRUMPS, eyes_of
from tricktake_skat._kernels.features import (
    JACK_GROUP,
    UNKNOWN_BID,
    free_suits,
    group_of,
    jack_code,
    lost,
    side_aces,
    side_tens,
    trump_tenaces,
)
from tricktake_skat._kernels.features_null import null_chance

ALL_EYES = 120
HIDDEN = 22  # cards the declarer of a hand game has not seen
LONGEST = 9  # features of a vector


@njit
def fill(tables, game, own, put, seat, bid, vector):
    """The features of ``skat:suit`` or ``skat:grand`` in the order of the question; arguments as for ``win_chance``."""
    _, _, _, expected, bid_cuts, skat_cuts = tables
    group = group_of(bid, bid_cuts) if bid >= 0 else UNKNOWN_BID
    points = eyes_of(put) if put != 0 else (2 * (ALL_EYES - eyes_of(own)) + HIDDEN // 2) // HIDDEN
    jacks, losers = JACK_GROUP[jack_code(own)], lost(expected, game, own, put)
    if game == GRAND:
        vector[0] = jacks
        vector[1] = side_aces(game, own)
        vector[2] = side_tens(game, own)
        vector[3] = losers
        vector[4] = group
        vector[5] = seat
        vector[6] = group_of(points, skat_cuts)
        return
    vector[0] = popcount(own & TRUMPS[game])
    vector[1] = jacks
    vector[2] = trump_tenaces(game, own, put)
    vector[3] = side_aces(game, own)
    vector[4] = side_tens(game, own)
    vector[5] = losers
    vector[6] = group
    vector[7] = group_of(points, skat_cuts)
    vector[8] = free_suits(game, own)


@njit
def win_chance(tables, game, hand, ouvert, own, put, seat, bid, vector):
    """How likely the declarer wins, -1.0 if nothing is known.

    tables: ``tricktake_skat.winning.Winning.arrays``. game: 0 to 3 suits, 4 grand, 5 Null; hand, ouvert: 1 or 0.
    own: ten cards. put: the two discarded; 0 if the skat is unknown (hand games), then it counts with its mean eyes.
    seat: of the declarer. bid: strongest bid of the others, -1 unknown. vector: room for LONGEST features.
    """
    if game == NULL:
        if tables[2].size == 0:
            return UNKNOWN
        return null_chance(tables[2], own, 0 if hand else put, hand + 2 * ouvert, 1 if seat == 0 else 0)
    fill(tables, game, own, put, seat, bid, vector)
    if game == GRAND:
        return probability(tables[1], vector)
    return probability(tables[0], vector)


@njit
def win_chances(tables, questions, vector, out):
    """``win_chance`` of each row of ``questions``: game, hand, ouvert, own, put, seat, bid."""
    for i in range(len(questions)):
        game, hand, ouvert, own, put, seat, bid = questions[i]
        out[i] = win_chance(tables, game, hand, ouvert, own, put, seat, bid, vector)
