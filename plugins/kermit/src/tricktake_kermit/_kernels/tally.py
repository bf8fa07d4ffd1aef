"""What became of suits and trumps in played games (KERMIT-10): eyes, tricks and high cards won and lost by their cells.

Of each game the tricks that hold a card of a class (a side suit, the trumps) are credited to what the declarer held and
discarded of it; so are the two cards he discarded, which are his. Rows are those of ``tricktake_skat.rows``.
"""

from tricktake_skat.kernels import GRAND, cards

from tricktake.jit import njit, popcount
from tricktake_kermit._kernels.index import HIGH, context_of, side_cell, trump_cell

EYES_WON, EYES_LOST, TRICKS_WON, TRICKS_LOST, HIGHS_WON, HIGHS_LOST = range(6)
OUTCOMES = 6


@njit
def credit(row, which, led, won_by_us, sums):
    """Add the tricks of a game that hold a card of a class, (mask), to sums (OUTCOMES,). led: only those it led.

    won_by_us: mask of the seats on the side that is credited.
    """
    for trick in range(10):
        first = row["cards"][3 * trick]
        together = 1 << first | 1 << row["cards"][3 * trick + 1] | 1 << row["cards"][3 * trick + 2]
        if (1 << first if led else together) & which == 0:
            continue
        lost = 1 - (won_by_us >> row["winners"][trick] & 1)
        sums[EYES_WON + lost] += cards.eyes_of(together)
        sums[TRICKS_WON + lost] += 1
        sums[HIGHS_WON + lost] += popcount(together & HIGH)


@njit
def credit_hand(row, seat, own, put, led, sides, side_games, trumps, trump_games):
    """Credit one seat's classes; put is 0 for a defender, whose team is the other two."""
    game, declarer = row["game"], row["declarer"]
    us = 1 << declarer if seat == declarer else 7 & ~(1 << declarer)
    context = context_of(game, own, put, seat)
    for suit in range(4):
        if suit == game:
            continue
        which = cards.PLAIN << 8 * suit
        cell = side_cell(context, own, put, suit)
        side_games[cell] += 1
        credit(row, which, led, us, sides[cell])
        sides[cell, EYES_WON] += cards.eyes_of(put & which)
        sides[cell, HIGHS_WON] += popcount(put & which & HIGH)
    cell = trump_cell(game, own, put, seat)
    trump_games[cell] += 1
    credit(row, cards.TRUMPS[game], led, us, trumps[cell])
    away = put & cards.TRUMPS[game]
    trumps[cell, EYES_WON] += cards.eyes_of(away)
    trumps[cell, HIGHS_WON] += popcount(away & HIGH)


@njit
def tally(rows, grand, led, everyone, sides, side_games, trumps, trump_games):
    """Add the games of rows that were played to the end: suit games, or grands if ``grand``; how many.

    sides, trumps: (cells, OUTCOMES) float64; side_games, trump_games: (cells,). led: a trick counts for the class led
    only. everyone: defenders' hands are credited too.
    """
    found = 0
    for i in range(len(rows)):
        row = rows[i]
        game, declarer = row["game"], row["declarer"]
        if declarer < 0 or game > GRAND or (game == GRAND) != grand or row["winners"][9] < 0:
            continue
        found += 1
        for seat in range(3):
            if seat == declarer:
                credit_hand(row, seat, row["own"], row["put"], led, sides, side_games, trumps, trump_games)
            elif everyone:
                credit_hand(row, seat, row["hands"][seat], 0, led, sides, side_games, trumps, trump_games)
    return found
