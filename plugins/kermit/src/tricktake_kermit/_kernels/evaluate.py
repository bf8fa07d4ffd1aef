"""The 10+2 evaluation (KERMIT-2, 4, 7) and the bidding tree over it (KERMIT-11), for models that lie side by side.

A model's four tables are two here, since a game's score is a sum: of side suits, and of trumps, in log odds.
"""

from typing import NamedTuple

import numpy as np
from tricktake_skat.kernels import GRAND, NULL, bidding, cards, rule_bid, skat

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_kermit._kernels.index import HIGH, context_of, side_cell, trump_cell

SKATS, CHOICES = bidding.SKATS, bidding.CHOICES
TRUMP_GAMES = GRAND + 1  # the first choices: suit games and grand
BEFORE_ALL = -1e9  # log odds below all


class Tables(NamedTuple):
    """Of each model, (models, cells) float32: what the side suits and the trumps of suit games and grands add to the
    log odds. constants: (models, 2) for suit games and grands. nulls: (models, 4, 2, 3, 256), see ``features_null``.
    """

    sides: np.ndarray
    trumps: np.ndarray
    grand_sides: np.ndarray
    grand_trumps: np.ndarray
    constants: np.ndarray
    nulls: np.ndarray


class Tree(NamedTuple):
    """A hand with every skat. up: (7, 231) chances with the best discard; by_hand: the same ten cards with that skat;
    values: (7, 231) of the game with the skat picked up, from the hand one level more.
    """

    up: np.ndarray
    by_hand: np.ndarray
    values: np.ndarray


def tree():
    """Room for a hand."""
    return Tree(np.zeros((CHOICES, SKATS)), np.zeros((CHOICES, SKATS)), np.zeros((CHOICES, SKATS), np.int64))


@njit
def odds_of(tables, model, game, own, put, seat):
    """Log odds of a suit game or grand with ten cards and two discarded."""
    context = context_of(game, own, put, seat)
    grand = game == GRAND
    sides = tables.grand_sides[model] if grand else tables.sides[model]
    total = tables.constants[model, 1 if grand else 0]
    for suit in range(4):
        if suit != game:
            total += sides[side_cell(context, own, put, suit)]
    trumps = tables.grand_trumps[model] if grand else tables.trumps[model]
    return total + trumps[trump_cell(game, own, put, seat)]


@njit
def chance_of(odds):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-odds))


@njit
def null_of(tables, model, choice, own, put, seat, from_hand):
    """The chance of a Null: the product over its suits (KERMIT-3)."""
    kind = 2 * (choice - NULL) + (1 if from_hand else 0)
    table = tables.nulls[model, kind, 1 if seat == 0 else 0]
    chance = 1.0
    for suit in range(4):
        count = 0 if from_hand else popcount(put >> 8 * suit & 255)
        chance *= table[count, own >> 8 * suit & 255]
    return chance


@njit
def evaluation(tables, model, choice, own, put, seat):
    """The chance that ten cards with two discarded win a game: choice 0 to 3 suits, grand, Null, Null ouvert."""
    if choice >= NULL:
        return null_of(tables, model, choice, own, put, seat, False)
    return chance_of(odds_of(tables, model, choice, own, put, seat))


@njit
def best_discard(tables, nulls, model, choice, twelve, seat):
    """The discard of twelve cards that wins a game most often: (chance, the two cards)."""
    if choice >= NULL:
        return bidding.best_null(nulls, 2 * (choice - NULL) + (1 if seat == 0 else 0), twelve)
    changes = np.zeros(32)
    base, held = prepare(tables, model, choice, twelve, seat, changes)
    most, best, pairs = BEFORE_ALL, 0, np.zeros(cards.PAIRS, np.int64)
    for put in pairs[: cards.fill_pairs(twelve, pairs)]:
        odds = odds_with(tables, model, choice, twelve, put, seat, changes, base, held)
        if odds > most:
            most, best = odds, put
    return chance_of(most), best


@njit
def sides_of(tables, choice):
    """The tables of side suits for a suit game or a grand."""
    return tables.grand_sides if choice == GRAND else tables.sides


@njit
def prepare(tables, model, game, twelve, seat, changes):
    """Log odds of twelve cards with nothing discarded, without the trumps' part, and that part; changes (32,): of the
    first by discarding a card of a side suit alone.
    """
    context = context_of(game, twelve, 0, seat)
    sides = sides_of(tables, game)[model]
    total = tables.constants[model, 1 if game == GRAND else 0]
    for suit in range(4):
        if suit == game:
            continue
        here = sides[side_cell(context, twelve, 0, suit)]
        total += here
        rest = twelve >> 8 * suit & cards.PLAIN
        while rest:
            card = 8 * suit + lowbit_index(rest)
            rest &= rest - 1
            changes[card] = sides[side_cell(context, twelve & ~(1 << card), 1 << card, suit)] - here
    trumps = tables.grand_trumps[model] if game == GRAND else tables.trumps[model]
    return total, trumps[trump_cell(game, twelve, 0, seat)]


@njit
def odds_with(tables, model, game, twelve, put, seat, changes, base, held):
    """``odds_of`` from what was prepared, of which little changes."""
    own, low, high = twelve & ~put, lowbit_index(put), lowbit_index(put & (put - 1))
    if game == GRAND and put & cards.JACKS:
        return odds_of(tables, model, game, own, put, seat)
    total = base + changes[low] + changes[high]
    if low >> 3 == high >> 3 and put & cards.TRUMPS[game] == 0:
        context, suit, sides = context_of(game, own, put, seat), low >> 3, sides_of(tables, game)[model]
        total = base + sides[side_cell(context, own, put, suit)] - sides[side_cell(context, twelve, 0, suit)]
    if put & (HIGH | cards.TRUMPS[game]):
        trumps = tables.grand_trumps[model] if game == GRAND else tables.trumps[model]
        held = trumps[trump_cell(game, own, put, seat)]
    return total + held


@njit
def sweep(tables, nulls, model, hand, seat, found):
    """All leaves of the bidding tree: 231 skats by 66 discards and from the hand, of every game."""
    skats = np.zeros(SKATS, np.int64)
    cards.fill_pairs(cards.ALL & ~hand, skats)
    for s in range(SKATS):
        twelve = hand | skats[s]
        for choice in range(CHOICES):
            found.up[choice, s], _ = best_discard(tables, nulls, model, choice, twelve, seat)
            found.values[choice, s] = rule_bid.value_of(choice, twelve)
            if choice >= NULL:
                found.by_hand[choice, s] = null_of(tables, model, choice, hand, 0, seat, True)
            else:
                found.by_hand[choice, s] = chance_of(odds_of(tables, model, choice, hand, skats[s], seat))


@njit
def up_chance(found, bid, games, shares, wins):
    """Of picking up the skat: the mean over skats of the best game that reaches the bid. games: how many choices.

    shares, wins: (7,), filled with how often each game is the best, and its mean chance then.
    """
    shares[:] = 0.0
    wins[:] = 0.0
    total = 0.0
    for s in range(SKATS):
        best, most = 0, 0.0
        for choice in range(games):
            if found.values[choice, s] >= bid and found.up[choice, s] > most:
                best, most = choice, found.up[choice, s]
        total += most
        if most > 0:
            shares[best] += 1
            wins[best] += most
    for choice in range(CHOICES):
        if shares[choice] > 0:
            wins[choice] /= shares[choice]
            shares[choice] /= SKATS
    return total / SKATS


@njit
def hand_chance(found, bid, games):
    """Of a hand game: the best game's mean over the skats, as if the declarer knew them (KERMIT-11); (chance, choice).

    A skat with which the game does not reach the bid counts as lost.
    """
    most, best = -1.0, 0
    for choice in range(games):
        total, null = 0.0, skat.NULL_VALUES[1 + 2 * (choice - NULL)] if choice >= NULL else 0
        for s in range(SKATS):
            value = found.values[choice, s] + cards.BASES[choice] if choice < NULL else null
            if value >= bid:
                total += found.by_hand[choice, s]
        if total / SKATS > most:
            most, best = total / SKATS, choice
    return most, best


@njit
def root(found, bid, games, hands, shares, wins):
    """The value of the tree: (chance, whether from the hand, choice from the hand). hands: whether hand games count."""
    up = up_chance(found, bid, games, shares, wins)
    if hands:
        by_hand, choice = hand_chance(found, bid, games)
        if by_hand > up:
            return by_hand, True, choice
    return up, False, 0


@njit
def limit_of(found, threshold, games, hands, shares, wins):
    """The highest bid with a chance of the threshold or more, 0 for none."""
    limit = 0
    for bid in skat.BIDS:
        chance, _, _ = root(found, bid, games, hands, shares, wins)
        if chance < threshold:
            break
        limit = bid
    return limit


@njit
def choose(tables, nulls, model, twelve, seat, bid, games, chances, discards):
    """Fill (7,) with the chance and the discard of each game of twelve cards; the choice (``chosen``)."""
    for choice in range(games):
        chances[choice], discards[choice] = best_discard(tables, nulls, model, choice, twelve, seat)
    return chosen(chances, twelve, bid, games)


@njit
def chosen(chances, twelve, bid, games):
    """The likeliest choice that reaches the bid, or of all if none does."""
    best, most = 0, -2.0
    for choice in range(games):
        score = chances[choice] - (1.0 if rule_bid.value_of(choice, twelve) < bid else 0.0)
        if score > most:
            best, most = choice, score
    return best
