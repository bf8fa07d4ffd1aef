"""How likely worlds are by bidding, by contract and skat, and by the cards played, in log odds.

A world is a row of four masks: what lies with the seats and in the skat now. All that does not depend on the world is
prepared once: the plays with the weights of all cards in their context, and what each seat has shown in the auction.
"""

import math

import numpy as np

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels.cards import ABOVE, CLASS, GRAND, TRUMPS, beats
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat._kernels.rule_bid import BID, CHOICES, FINAL, HAND, game_score, logit, value_of

# What a world is judged by; the columns of ``evidence``.
AUCTION = 0  # each hidden seat bid and passed as it did
SANE = 1  # the declared game is one to be bid with these cards
CHOICE = 2  # rather this game than another
SKAT = 3  # rather these two cards in the skat than one of the ten
TRUMPS_PUT = 4  # trumps in the skat
PLAYED = 5  # the cards played, by the contexts of ``context``
EVIDENCE = 6

# Columns of a play.
Y_SEAT = 0
Y_CARD = 1
Y_FOLLOW = 2  # class of the card led, 0 for a lead
Y_LATER = 3  # cards of that seat on the table or gone from this play on
PLAY = 4

KINDS = 3  # suit, grand, Null
ROLES = 3  # declarer, defender before him in this trick, defender after him
LEADS = 2  # to the first trick, later
PLACES = 8  # second or third, partner or opponent winning, trump led or not
CONTEXTS = KINDS * ROLES * (LEADS + PLACES)
CATEGORIES = 32  # rank, trump, above all on the table (leading: nothing above it is left in play)

SCALE = 20.0  # expected score that counts as one unit of log odds when games and skats are compared
HARD = 12.0  # bound of each piece of evidence, so that no world is ruled out


@njit
def context(game, role, first, led, place, partners):
    """The number of a situation. led: card, -1 for a lead; place: cards on the table; partners: who wins so far."""
    kind = 0 if game < GRAND else 1 if game == GRAND else 2
    base = (kind * ROLES + role) * (LEADS + PLACES)
    if led < 0:
        return base + (0 if first else 1)
    trump = 1 if TRUMPS[game] >> led & 1 else 0
    return base + LEADS + ((place - 1) * 2 + (1 if partners else 0)) * 2 + trump


@njit
def category(game, card, best, gone):
    """The kind of a card where it may be played; best: the winning card on the table, -1 for a lead."""
    if best < 0:
        high = ABOVE[game, card] & ~gone == 0
    else:
        high = beats(game, card, best)
    return card % 8 + 8 * (TRUMPS[game] >> card & 1) + (16 if high else 0)


@njit
def prepare(game, declarer, cards, leaders, logs, plays, weights):
    """Fill plays (n, PLAY) and weights (n, 32), the exponential weight of each card in the context of each play.

    cards: deck indices in order of play, leaders: of their tricks. logs: (CONTEXTS, CATEGORIES).
    """
    n = len(cards)
    gone = 0
    led, best, winner = -1, -1, -1
    for t in range(n):
        place = t % 3
        if place == 0:
            led, best = -1, -1
        seat = (leaders[t // 3] + place) % 3
        role = 0
        if seat != declarer:
            passed = (declarer - leaders[t // 3]) % 3 < place
            role = 2 if passed else 1
        partners = best >= 0 and winner != declarer and seat != declarer
        where = context(game, role, t == 0, led, place, partners)
        for card in range(32):
            weights[t, card] = math.exp(logs[where, category(game, np.int64(card), best, gone)])
        card = cards[t]
        plays[t, Y_SEAT] = seat
        plays[t, Y_CARD] = card
        plays[t, Y_FOLLOW] = CLASS[game, led] if led >= 0 else 0
        later = 0
        for u in range(t, n):
            if (leaders[u // 3] + u % 3) % 3 == seat:
                later |= 1 << cards[u]
        plays[t, Y_LATER] = later
        if best < 0:
            led, best, winner = card, card, seat
        elif beats(game, card, best):
            best, winner = card, seat
        gone |= 1 << card


@njit
def played(plays, weights, world, observer, longest):
    """Log likelihood of the cards the others played, of the first ``longest`` ones."""
    total = 0.0
    for t in range(len(plays)):
        if t >= longest:
            break
        seat = plays[t, Y_SEAT]
        if seat == observer:
            continue
        legal = world[seat] | plays[t, Y_LATER]
        if legal & plays[t, Y_FOLLOW]:
            legal &= plays[t, Y_FOLLOW]
        if legal & (legal - 1) == 0:
            continue
        among = 0.0
        while legal:
            among += weights[t, lowbit_index(legal)]
            legal &= legal - 1
        total += math.log(weights[t, plays[t, Y_CARD]] / among)
    return total


@njit
def threshold(value):
    """Log odds of winning from which a game of this value is worth bidding (SKAT-17)."""
    return math.log((50.0 + 2 * value) / (50.0 + value))


@njit
def log_sigmoid(x):
    return -math.log1p(math.exp(-x)) if x > -30.0 else x


@njit
def auction(hand, seat, floor, ceiling, sharpness, f):
    """Log likelihood of bidding ``floor`` (0: nothing) but not ``ceiling`` (0: never asked for more) with ten cards.

    A bid is made with the chance ``1 / (1 + exp(-sharpness * margin))``, where the margin is the best log odds of a
    game of that value or more, beyond those from which it is worth it.
    """
    low, high = -50.0, -50.0
    for game in range(CHOICES):
        value = value_of(game, hand)
        if value < floor and value < ceiling:
            continue
        margin = logit(game, hand, 0, seat, BID, f) - threshold(value)
        if value >= floor and margin > low:
            low = margin
        if value >= ceiling and margin > high:
            high = margin
    total = 0.0
    if floor > 0:
        total += log_sigmoid(sharpness * low)
    if ceiling > 0:
        total += log_sigmoid(-sharpness * high)
    return total


@njit
def declared(game, hand, put, seat, bid, f, found):
    """Evidence of the declarer's twelve cards: is the game sane, the best, and are these the cards to discard?

    game: 0 to 5, OUVERT. found: (EVIDENCE,), added to.
    """
    score = game_score(game, hand, put, seat, bid, f)
    found[SANE] += log_sigmoid(logit(game, hand, put, seat, FINAL, f) - threshold(value_of(game, hand | put)))
    others = 0.0
    for other in range(CHOICES):
        if other != game:
            others += math.exp(min(30.0, (game_score(other, hand, put, seat, bid, f) - score) / SCALE))
    found[CHOICE] -= math.log1p(others)
    trumps = TRUMPS[game] if game <= GRAND else 0
    found[TRUMPS_PUT] -= popcount(put & trumps)
    better = 0.0
    rest = put & ~trumps
    while rest:
        back = rest & -rest
        rest ^= back
        cards = hand & ~trumps
        while cards:
            card = cards & -cards
            cards ^= card
            other = game_score(game, (hand ^ card) | back, (put ^ back) | card, seat, bid, f)
            better += math.exp(min(30.0, (other - score) / SCALE))
    found[SKAT] -= math.log1p(better)


@njit
def evidence(game, declarer, bid, hand_game, observer, bounds, sharpness, plays, weights, longest, worlds, found):
    """Fill found (n, EVIDENCE): log likelihoods of what happened in each world, by source.

    game: 0 to 5, OUVERT. bounds: (3, 2) of each seat the highest bid made and the lowest not made, 0 for neither.
    worlds: (n, 4). observer: the seat whose own actions say nothing.
    """
    f = np.zeros(F_SIZE)
    before = np.zeros(3, np.int64)
    for t in range(len(plays)):
        before[plays[t, Y_SEAT]] |= 1 << plays[t, Y_CARD]
    for i in range(len(worlds)):
        row = found[i]
        row[:] = 0.0
        for seat in range(3):
            if seat == observer:
                continue
            hand = worlds[i, seat] | before[seat]
            if seat != declarer or hand_game:
                row[AUCTION] += auction(hand, seat, bounds[seat, 0], bounds[seat, 1], sharpness, f)
            if seat == declarer and hand_game:
                stage = HAND if game <= GRAND else BID
                value = value_of(game, hand)
                row[SANE] += log_sigmoid(logit(game, hand, 0, seat, stage, f) - threshold(value))
            elif seat == declarer:
                declared(game, hand, worlds[i, 3], seat, bid, f, row)
        row[PLAYED] = played(plays, weights, worlds[i], observer, longest)


@njit
def combine(found, temper, out):
    """Weights from evidence: the exponential of the sum of each source times its temper, each bounded by HARD."""
    most = -1e300
    for i in range(len(found)):
        total = 0.0
        for k in range(EVIDENCE):
            total += temper[k] * (found[i, k] if found[i, k] > -HARD else -HARD)
        out[i] = total
        if total > most:
            most = total
    for i in range(len(found)):
        out[i] = math.exp(out[i] - most)
