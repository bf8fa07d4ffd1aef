"""The evaluation of a hand once more, by the questions' own features, one discard after the other."""

from __future__ import annotations

from itertools import combinations

from tricktake_skat._kernels import cards as skat
from tricktake_skat._kernels import features
from tricktake_skat._kernels.bidding import CELLS, Chances
from tricktake_skat.bidding.evaluation import blocks

GRAND, NULL, OUVERT = 4, 5, 6


def pairs(mask):
    """All pairs of a set."""
    return [1 << a | 1 << b for a, b in combinations([c for c in range(32) if mask >> c & 1], 2)]


def win_of(chances: Chances, expected, game, own, put, seat, group):
    """(chance, tricks lost) of ten cards and two put."""
    if game >= NULL:
        kind, lead = 2 * (game == OUVERT), int(seat == 0)
        win = 1.0
        for suit in range(4):
            puts = (put >> 8 * suit & 255).bit_count()
            win *= chances.nulls[0, kind, lead, puts, own >> 8 * suit & 255]
        return win, 0
    lost = int(features.lost(expected, game, own, put))
    aces, tens = int(features.side_aces(game, own)), int(features.side_tens(game, own))
    jacks = int(features.JACK_GROUP[features.jack_code(own)])
    skat_group = int(chances.groups[skat.eyes_of(put)])
    if game == GRAND:
        cell = jacks * CELLS + (lost << 8 | skat_group << 6 | tens << 3 | aces)
        return chances.grand[0, seat % chances.grand.shape[1], group, cell], lost
    trumps = (own & int(skat.TRUMPS[game])).bit_count()
    block = blocks()[1].index((min(trumps, 10), jacks, int(features.trump_tenaces(game, own, put))))
    free = int(features.free_suits(game, own))
    cell = block * CELLS + (lost << 8 | skat_group << 6 | free << 4 | tens << 2 | aces)
    return chances.suit[0, seat % chances.suit.shape[1], group, cell], lost


def discards(game, cards, trumps):
    """The pairs that may be put."""
    side = cards & ~int(skat.TRUMPS[game]) if game <= GRAND else cards
    return pairs(cards if trumps or side.bit_count() < 2 else side)


def best(chances, expected, game, cards, seat, group, trumps):
    """The best chance of twelve cards, and all pairs that reach it."""
    found = {
        put: win_of(chances, expected, game, cards & ~put, put, seat, group)[0] for put in discards(game, cards, trumps)
    }
    most = max(found.values())
    return most, {put for put, win in found.items() if win == most}


def worth(game, hand, matadors, win, up, bid, loss):
    """Expected score by the book: a value too low for the bid is a loss unless Schneider lifts it (SKAT-17)."""
    if game >= NULL:
        value = {(NULL, False): 23, (OUVERT, False): 46, (NULL, True): 35, (OUVERT, True): 59}[game, hand]
        return (50 + value) * win - (loss + 2 * value) * (1 - win) if value >= bid else None
    base = int(skat.BASES[game])
    value = base * (abs(matadors) + 1 + hand)
    if value >= bid:
        return (50 + value) * win * (1 - up) + (50 + value + base) * win * up - (loss + 2 * value) * (1 - win)
    charged = -(-bid // base) * base
    if value + base < bid:
        return -(loss + 2.0 * charged)
    return (50 + value + base) * win * up - (loss + 2 * charged) * (1 - win * up)
