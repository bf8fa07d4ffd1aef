"""What chances are worth: the expected Seeger-Fabian score of a bid, a hand game, each game and discard (SKAT-17)."""

import numpy as np

from tricktake.jit import njit
from tricktake_skat._kernels.bidding import CHOICES, WHOLE_AT, best_null, discard_of, position_of
from tricktake_skat._kernels.cards import BASES, GRAND, NULL, PAIRS, TRUMPS, discardable, fill_pairs
from tricktake_skat._kernels.features import group_of, strongest_bid
from tricktake_skat._kernels.rule_bid import FORBIDDEN, value_of, worth
from tricktake_skat._kernels.skat import NULL_VALUES, overbid_value
from tricktake_skat._kernels.value import chances_of, heard_by, room


@njit
def game_worth(choice, value, win, up, bid, loss):
    """Expected score of a game at a final bid. up: chance of Schneider if it is won, which may lift it to the bid."""
    if choice >= NULL:
        return worth(value, win, loss) if value >= bid else FORBIDDEN - value
    base = BASES[choice]
    if value >= bid:
        return worth(value, win, loss) + base * up * win
    charged = overbid_value(choice, base, bid)
    saved = up * win if value + base >= bid else 0.0
    return (50 + value + base) * saved - (loss + 2 * charged) * (1 - saved)


@njit
def announced_worth(base, value, win, up, bid, loss):
    """The same for Schneider announced; value: of the hand game without it."""
    value += 2 * base
    if value < bid:
        return FORBIDDEN - value
    return worth(value, win * up, loss)


@njit
def take_worth(found, bid, loss, shares, wins):
    """Expected score of picking up the skat: the mean over skats of the best game and discard (KERMIT-11).

    shares, wins: (7,), filled with how often each game is chosen, and with its mean chance where it is.
    """
    shares[:] = 0.0
    wins[:] = 0.0
    total, skats = 0.0, len(found.skats)
    for s in range(skats):
        best, most = 0, -1e18
        for choice in range(CHOICES):
            score = game_worth(choice, found.values[choice, s], found.wins[choice, s], found.ups[choice, s], bid, loss)
            if score > most:
                best, most = choice, score
        total += most
        shares[best] += 1
        wins[best] += found.wins[best, s]
    for choice in range(CHOICES):
        if shares[choice] > 0:
            wins[choice] /= shares[choice]
            shares[choice] /= skats
    return total / skats


@njit
def hand_game_worth(found, choice, announced, bid, loss):
    """A game from the hand: (expected score, mean chance). announced: whether Schneider is.

    A mean over the skats, since the same game must be good with all of them; matadors in the skat may overbid it.
    """
    total, win, skats = 0.0, 0.0, len(found.skats)
    for s in range(skats):
        w, up = found.hand_wins[choice, s], found.hand_ups[choice, s]
        if choice >= NULL:
            total += game_worth(choice, NULL_VALUES[1 + 2 * (choice - NULL)], w, 0.0, bid, loss)
            win += w
            continue
        value = found.values[choice, s] + BASES[choice]
        if announced:
            total += announced_worth(BASES[choice], value, w, up, bid, loss)
            win += w * up
        else:
            total += game_worth(choice, value, w, up, bid, loss)
            win += w
    return total / skats, win / skats


@njit
def hand_worth(found, bid, loss):
    """The best game from the hand: (expected score, choice, 1 if Schneider is announced, mean chance)."""
    most, best, call, chance = -1e18, 0, 0, 0.0
    for choice in range(CHOICES):
        for announced in range(2 if choice < NULL else 1):
            score, win = hand_game_worth(found, choice, announced, bid, loss)
            if score > most:
                most, best, call, chance = score, choice, announced, win
    return most, best, call, chance


@njit
def weigh_discards(sums, nulls, chances, model, cards, seat, group, trumps, bid, loss, wins, puts, scores):
    """Fill (7,) with the best discard of each game of twelve cards, its chance and its expected score."""
    rows = np.zeros(5, np.int64)
    for choice in range(CHOICES):
        if choice >= NULL:
            wins[choice], puts[choice] = best_null(nulls, 2 * (choice - NULL) + (1 if seat == 0 else 0), cards)
            up = 0.0
        else:
            table = chances.grand if choice == GRAND else chances.suit
            win = table[model, position_of(table, seat), group]
            wins[choice], code, puts[choice] = discard_of(sums, choice, cards, trumps, chances.groups, win, rows)
            up = chances.schneider[model, 1 if choice == GRAND else 0, code >> WHOLE_AT & 15]
        scores[choice] = game_worth(choice, value_of(choice, cards), wins[choice], up, bid, loss)


@njit
def judge_discards(values, model, cards, seat, heard, trumps, bid, loss, wins, puts, scores):
    """``weigh_discards`` by the networks of a model: every discard of every game."""
    pairs = np.zeros(PAIRS, np.int64)
    index, work = room(values)
    for choice in range(CHOICES):
        wins[choice], puts[choice], scores[choice] = 0.0, 0, -1e18
        value = value_of(choice, cards)
        some = cards if trumps or choice >= NULL else discardable(cards, TRUMPS[choice])
        for put in pairs[: fill_pairs(some, pairs)]:
            win, up = chances_of(values, model, choice, cards & ~put, put, False, seat, heard, index, work)
            score = game_worth(choice, value, win, up, bid, loss)
            if score > scores[choice]:
                wins[choice], puts[choice], scores[choice] = win, put, score


@njit
def weigh_cards(sums, nulls, chances, model, cards, seat, bids, trumps, bid, loss, wins, puts, scores):
    """``judge_discards`` at bids (3,) where the model has networks, else ``weigh_discards``."""
    if chances.values.of[model] >= 0:
        heard = heard_by(bids, seat)
        judge_discards(chances.values, model, cards, seat, heard, trumps, bid, loss, wins, puts, scores)
    else:
        group = group_of(strongest_bid(bids, seat), chances.cuts)
        weigh_discards(sums, nulls, chances, model, cards, seat, group, trumps, bid, loss, wins, puts, scores)
