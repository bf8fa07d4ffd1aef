"""Bidding, choosing the game and discarding two cards by hand evaluation: weighted features, then expected score."""

import math

import numpy as np

from tricktake.jit import constants, njit
from tricktake_skat._kernels.cards import BASES, GRAND, NULL, NULL_OUVERT, PAIRS, TRUMPS, discardable, fill_pairs
from tricktake_skat._kernels.hand_features import F_SIZE, N_SIZE, null_features, trump_features
from tricktake_skat._kernels.skat import BIDS, matadors, overbid_value

OUVERT = 6  # Null ouvert among the games that are weighed
CHOICES = 7
FINAL, BID, HAND = 0, 1, 2  # what is evaluated: ten cards and the skat, ten cards before it, a hand game

LOSS = 50.0  # what a loss costs besides twice the value; 90 counts the bonus of the two others, too (SKAT-17)
SAVED = 0.25  # share of wins with Schneider, which may lift an overbid game to its bid
FORBIDDEN = -1e6  # expected score of a game that cannot be declared
BID_MARGIN = 0.0  # expected score from which a game is bid
HAND_MARGIN = 0.0  # expected score a hand game must be ahead of picking up


_FITTED = constants(__file__, "rule_weights.json")["weights"]
WEIGHTS = np.zeros((3, 4, F_SIZE))  # log odds by what is evaluated, kind (suit, grand, Null, Null ouvert) and feature
for _stage, _name in enumerate(("final", "bid", "hand")):
    for _kind, _game in enumerate(("suit", "grand", "null", "ouvert")):
        _fitted = _FITTED.get(f"{_name}_{_game}", _FITTED[f"bid_{_game}"])  # Null Hand: as before the exchange
        WEIGHTS[_stage, _kind, : len(_fitted)] = _fitted


@njit
def logit(game, hand, put, seat, stage, f):
    """Log odds that the declarer wins."""
    kind = game - GRAND + 1 if game >= GRAND else 0
    size = F_SIZE
    if game >= NULL:
        null_features(hand, seat, f)
        size = N_SIZE
    else:
        trump_features(game, hand, put, seat, f)
    weights = WEIGHTS[stage, kind]
    total = 0.0
    for i in range(size):
        total += weights[i] * f[i]
    return total


@njit
def chance(log_odds):
    return 1.0 / (1.0 + math.exp(-log_odds))


@njit
def worth(value, win, loss=LOSS):
    """C = (50 + V) W - (loss + 2 V) (1 - W), in points (SKAT-17)."""
    return (50 + value) * win - (loss + 2 * value) * (1 - win)


@njit
def value_of(game, cards):
    """The value of a game without Schneider. cards: all the declarer has had, ten or twelve."""
    if game == NULL:
        return BASES[NULL]
    if game == OUVERT:
        return NULL_OUVERT
    return BASES[game] * (abs(matadors(game, cards)) + 1)


@njit
def bid_limit(hand, seat):
    """The highest bid the ten cards are good for and the game they are bid for; (0, -1) to pass."""
    f = np.zeros(F_SIZE)
    odds = np.zeros(CHOICES)
    values = np.zeros(CHOICES, np.int64)
    for game in range(CHOICES):
        odds[game] = logit(game, hand, 0, seat, BID, f)
        values[game] = value_of(game, hand)
    limit, chosen = 0, -1
    for first in range(CHOICES):
        # At its own value a game is bid with those worth at least as much to fall back on.
        best = first
        for game in range(CHOICES):
            if values[game] >= values[first] and odds[game] > odds[best]:
                best = game
        if values[first] > limit and worth(values[best], chance(odds[best])) > BID_MARGIN:
            limit, chosen = values[first], best
    legal = 0
    for value in BIDS:
        if value <= limit:
            legal = value
    return legal, chosen


@njit
def best_hand_game(hand, seat, bid):
    """The suit or grand game to play from the hand and its expected score."""
    f = np.zeros(F_SIZE)
    best, most = 0, -1e9
    for game in range(GRAND + 1):
        value = value_of(game, hand) + BASES[game]
        score = worth(value, chance(logit(game, hand, 0, seat, HAND, f)))
        if value < bid:
            score += FORBIDDEN
        if score > most:
            best, most = game, score
    return best, most


@njit
def hand_game(hand, seat, bid):
    """The suit or grand game to play from the hand, -1 to pick up the skat."""
    f = np.zeros(F_SIZE)
    up = 0.0
    for game in range(CHOICES):
        value = value_of(game, hand)
        if value >= bid:
            up = max(up, worth(value, chance(logit(game, hand, 0, seat, BID, f))))
    best, most = best_hand_game(hand, seat, bid)
    return best if most > up + HAND_MARGIN else -1


@njit
def game_score(game, hand, put, seat, bid, f):
    """Expected score of a game after discarding two cards; an overbid game is lost unless Schneider saves it."""
    value = value_of(game, hand | put)
    win = chance(logit(game, hand, put, seat, FINAL, f))
    if value < bid:
        if game >= NULL:
            return FORBIDDEN - value
        base = BASES[game]
        return worth(overbid_value(game, base, bid), SAVED * win if value + base >= bid else 0.0)
    return worth(value, win)


@njit
def best_game(hand, put, seat, bid):
    """The game to declare with these ten cards and its expected score."""
    f = np.zeros(F_SIZE)
    best, most = 0, -1e18
    for game in range(CHOICES):
        score = game_score(game, hand, put, seat, bid, f)
        if score > most:
            best, most = game, score
    return best, most


@njit
def best_discard(cards, seat, bid, only):
    """The two cards to discard of twelve, and the game: -1 for ``only`` weighs all, otherwise just that one.

    Trumps are discarded only if there is nothing else (SKAT-20, 24).
    """
    f, pairs = np.zeros(F_SIZE), np.zeros(PAIRS, np.int64)
    best_game_, best_cards, most = -1, 0, -1e18
    for game in range(CHOICES):
        if only >= 0 and game != only:
            continue
        for put in pairs[: fill_pairs(discardable(cards, TRUMPS[game] if game <= GRAND else 0), pairs)]:
            score = game_score(game, cards & ~put, put, seat, bid, f)
            if score > most:
                best_game_, best_cards, most = game, put, score
    return best_game_, best_cards, most
