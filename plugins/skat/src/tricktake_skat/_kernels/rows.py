"""Rows (``tricktake_skat.rows``): what follows from the deal, the contract and the cards played."""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake.kernels import batch
from tricktake_skat._kernels.cards import ALL, EYES, NULL, TRUMPS, eyes_of
from tricktake_skat._kernels.skat import ALL_TRICKS, matadors, may_discard, points_of, settle

# What can be wrong with a row.
SOUND = batch.SOUND
NOT_HELD = batch.NOT_HELD
NOT_FOLLOWED = batch.NOT_ALLOWED
NO_DEAL = 3
NO_EXCHANGE = 4

CARDS = 30
NOTHING = np.zeros(batch.FACTS_MAX, np.int64)


@njit
def clear(row):
    """A deal that was passed in, nothing else known."""
    row["id"] = 0
    row["deal"][:] = 0
    row["hands"][:] = 0
    row["bids"][:] = -1
    row["cards"][:] = -1
    row["winners"][:] = -1
    row["declarer"], row["game"], row["eyes"] = -1, -1, -1
    row["hand"], row["ouvert"], row["announced"], row["bid"], row["put"] = 0, 0, 0, 0, 0
    row["own"], row["trumps"], row["matadors"], row["tricks"], row["won"], row["value"] = 0, 0, 0, 0, 0, 0


@njit
def clear_all(rows):
    """``clear`` for rows."""
    for i in range(len(rows)):
        clear(rows[i])


@njit
def begin(row):
    """Fill in hands, trumps and matadors from the deal, the contract and the discard; what is wrong with them."""
    deal, hands = row["deal"], row["hands"]
    together = 0
    for place in range(4):
        if popcount(deal[place]) != (2 if place == 3 else 10):
            return NO_DEAL
        together |= deal[place]
    if together != ALL:
        return NO_DEAL
    for seat in range(3):
        hands[seat] = deal[seat]
    declarer, skat = row["declarer"], deal[3]
    if declarer < 0:
        row["put"] = skat
        return SOUND
    put = row["put"]
    if not may_discard(deal[declarer], skat, put, row["hand"] != 0):
        return NO_EXCHANGE
    twelve = deal[declarer] | skat
    hands[declarer] = twelve & ~put
    row["own"] = twelve & ~put
    row["trumps"] = TRUMPS[row["game"]]
    row["matadors"] = matadors(row["game"], twelve)
    return SOUND


@njit
def end(row):
    """Count tricks and, if they are -1 and it is no Null, eyes; set the value of a game that was played out."""
    cards, winners, declarer = row["cards"], row["winners"], row["declarer"]
    eyes, tricks = eyes_of(row["put"]), 0
    for trick in range(ALL_TRICKS):
        if winners[trick] == declarer:
            tricks += 1
            for k in range(3):
                eyes += EYES[cards[3 * trick + k]]
    row["tricks"] = tricks
    null = row["game"] == NULL
    over = winners[ALL_TRICKS - 1] >= 0
    if row["eyes"] < 0 and over and not null:
        row["eyes"] = eyes
    if over or (null and tricks > 0):
        won, value, _, _, _, _ = settle(
            row["game"],
            row["hand"],
            row["announced"],
            row["ouvert"],
            row["matadors"],
            row["bid"],
            row["eyes"],
            tricks,
        )
        row["value"] = points_of(won, value)


@njit
def complete(packed, row):
    """Fill in all that follows from deal, contract, put and cards; what is wrong, ``SOUND`` for nothing.

    packed: the rules of the six games (``tricktake_skat.games.rules``).
    """
    fault = begin(row)
    if fault != SOUND or row["declarer"] < 0:
        return fault
    frame, whys = np.zeros(batch.FRAME, np.int64), np.zeros(CARDS, np.int64)
    fault = batch.play_game(
        packed[row["game"]],
        row["hands"],
        0,
        (NOTHING, NOTHING, NOTHING, NOTHING),
        0,
        (0, 0),
        (row["cards"], whys, row["winners"]),
        frame,
    )
    if fault == SOUND:
        end(row)
    return fault


@njit
def begin_all(rows):
    """``begin`` for rows; the number of the first one that is wrong, -1 for none."""
    first = -1
    for i in range(len(rows)):
        if begin(rows[i]) != SOUND and first < 0:
            first = i
    return first


@njit
def end_all(rows):
    """``end`` for rows that were just played; who has won, too."""
    for i in range(len(rows)):
        if rows[i]["declarer"] >= 0:
            end(rows[i])
            rows[i]["won"] = rows[i]["value"] > 0
