"""A game of Skat as one row of int64: where each number stands, and what follows from the deal and the cards played."""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import ALL, CLASS, NULL, TRUMPS, beats, eyes_of, matadors

R_ID = 0
R_DEAL = 1  # 1 to 4: masks of forehand, middlehand, rearhand and skat as dealt
R_DECLARER = 5  # -1: passed in
R_GAME = 6  # 0 to 3 suits, 4 grand, 5 Null
R_HAND = 7
R_OUVERT = 8
R_ANNOUNCED = 9  # 1 Schneider, 2 Schwarz
R_BID = 10
R_BIDS = 11  # 11 to 13: highest bid or hold of each seat, 0 none, -1 unknown
R_PUT = 14
R_HANDS = 15  # 15 to 17: at the first trick
R_OWN = 18
R_TRUMPS = 19
R_MATADORS = 20
R_CARDS = 21  # 21 to 50, in order of play
R_WINNERS = 51  # 51 to 60
R_EYES = 61
R_TRICKS = 62
R_WON = 63
R_SIZE = 64

# What can be wrong with a row.
SOUND = 0
NO_DEAL = 1
NO_EXCHANGE = 2
NOT_HELD = 3
NOT_FOLLOWED = 4


@njit
def clear(row):
    """A deal that was passed in, nothing else known."""
    row[:] = 0
    row[R_DECLARER] = -1
    row[R_GAME] = -1
    row[R_BIDS : R_BIDS + 3] = -1
    row[R_CARDS : R_WINNERS + 10] = -1
    row[R_EYES] = -1


@njit
def complete(row):
    """Fill in hands, trumps, matadors, winners, tricks and, if it is -1, the eyes of a game that was played out.

    The deal, the contract, the skat as put and the cards must be there. Returns what is wrong, ``SOUND`` for nothing.
    """
    together = 0
    for place in range(4):
        mask = row[R_DEAL + place]
        if popcount(mask) != (2 if place == 3 else 10):
            return NO_DEAL
        together |= mask
    if together != ALL:
        return NO_DEAL
    declarer = row[R_DECLARER]
    for seat in range(3):
        row[R_HANDS + seat] = row[R_DEAL + seat]
    skat = row[R_DEAL + 3]
    if declarer < 0:
        row[R_PUT] = skat
        return SOUND
    game = row[R_GAME]
    put = row[R_PUT]
    twelve = row[R_DEAL + declarer] | skat
    if popcount(put) != 2 or put & ~twelve != 0 or (row[R_HAND] != 0 and put != skat):
        return NO_EXCHANGE
    row[R_HANDS + declarer] = twelve & ~put
    row[R_OWN] = twelve & ~put
    row[R_TRUMPS] = TRUMPS[game]
    row[R_MATADORS] = matadors(game, twelve)

    hands = row[R_HANDS : R_HANDS + 3].copy()
    leader, eyes, tricks = 0, eyes_of(put), 0
    for trick in range(10):
        best, winner, mask, led = -1, leader, 0, -1
        for k in range(3):
            card = row[R_CARDS + 3 * trick + k]
            if card < 0:
                row[R_TRICKS] = tricks
                return SOUND
            seat = (leader + k) % 3
            if not hands[seat] >> card & 1:
                return NOT_HELD
            if led < 0:
                led = card
            elif not CLASS[game, led] >> card & 1 and hands[seat] & CLASS[game, led] != 0:
                return NOT_FOLLOWED
            hands[seat] ^= 1 << card
            mask |= 1 << card
            if best < 0 or beats(game, card, best):
                best, winner = card, seat
        leader = winner
        row[R_WINNERS + trick] = winner
        if winner == declarer:
            tricks += 1
            eyes += eyes_of(mask)
    row[R_TRICKS] = tricks
    if row[R_EYES] < 0 and game != NULL:
        row[R_EYES] = eyes
    return SOUND


@njit
def complete_all(rows):
    """``complete`` for rows of shape (n, R_SIZE): the first that is wrong and why; (-1, 0) if none is."""
    for i in range(len(rows)):
        fault = complete(rows[i])
        if fault != SOUND:
            return i, fault
    return -1, SOUND


@njit
def rows_of_games(first_id, deals, bids, contracts, put, won, cards, rows):
    """Rows (n, R_SIZE) of games as columns, the first numbered ``first_id``.

    deals: (n, 4). bids: (n, 3). contracts: (n, 5) declarer, game, hand, ouvert, bid. put, won: (n,). cards: (n, 30).
    """
    for i in range(len(rows)):
        row = rows[i]
        clear(row)
        row[R_ID] = first_id + i
        row[R_DEAL : R_DEAL + 4] = deals[i]
        row[R_BIDS : R_BIDS + 3] = bids[i]
        declarer, game, hand, ouvert, bid = contracts[i]
        row[R_DECLARER] = declarer
        if declarer >= 0:
            row[R_GAME] = game
            row[R_HAND] = hand
            row[R_OUVERT] = ouvert
            row[R_BID] = bid
            row[R_PUT] = put[i]
            row[R_WON] = won[i]
            row[R_CARDS : R_CARDS + 30] = cards[i]
        complete(row)
    return np.int64(len(rows))
