"""The loop that plays whole games, whatever the game: rules are arrays, players are policies called by their address.

A policy (``_jit.policy``) is asked for a card with a frame: int64 words of what its seat may see, and nothing else.
Words that a game adds are ``FACTS``, what a contract is known by. The loop keeps the frame up to date card by card;
a policy only reads it, and may say why in ``WHY``. ``DATA`` is a number of the policy's own: which of its rules are
switched on, or for a network the address of its weights. The frame holds all that its inputs are made of.

Cards are numbered as the packed rules are: in compiled bits or, for rules of thumb that name cards, as in the deck.
"""

from typing import NamedTuple

import numpy as np

from tricktake._kernels._jit import call, lean, njit, popcount
from tricktake._kernels.layout import (
    BROKEN,
    H_DUTY,
    H_LAST_BONUS,
    H_LEAD_LIMIT,
    H_SEATS,
    H_STAYS,
    H_TRICK_COST,
    MAX_SEATS,
    PENDING,
)
from tricktake._kernels.play import (
    W_CLASS,
    W_COST,
    bit,
    flags_after,
    flags_between,
    lead_cards,
    legal_replies,
    pack,
    suit_card,
    takes,
)

# The frame.
SEAT = 0  # to play
HAND = 1  # its cards
LEGAL = 2  # those it may play
LEADER = 3  # of the trick
PLAYED = 4  # cards on the table
TABLE = 5  # those cards, first played first, then -1
SUIT_CARD = TABLE + MAX_SEATS  # the one that says which suit is to be followed, -1
BEST = SUIT_CARD + 1  # the card that wins so far, -1
WINNER = BEST + 1  # the seat that played it
GONE = WINNER + 1  # cards played, those on the table included
KNOWN = GONE + 1  # cards this seat knows to be out of play
COUNT = KNOWN + 1  # cards played so far
VOID = COUNT + 1  # of each seat: the cards of the suits it did not follow; where it must, it holds none of them
LED = VOID + MAX_SEATS  # of each seat: the cards of the suits it has led
OPEN = LED + MAX_SEATS  # of each seat: its hand if it lies open
TAKEN = OPEN + MAX_SEATS  # of each seat: the cost of its tricks
TRICKS = TAKEN + MAX_SEATS  # of each seat: their number
FIRST = TRICKS + MAX_SEATS  # 1: the first trick
LAST = FIRST + 1  # 1: the last trick
FLAGS = LAST + 1  # ``layout.BROKEN`` and ``PENDING``
DATA = FLAGS + 1  # the seat's own number
WHY = DATA + 1  # what decided, written by the policy
FACTS = WHY + 1
FACTS_MAX = 8
FRAME = FACTS + FACTS_MAX

# How a game ended.
SOUND, NOT_HELD, NOT_ALLOWED = 0, 1, 2


class Games(NamedTuple):
    """Games to be played, all int64.

    rules: (n,) number of the packed rules. hands: (n, seats). leaders: (n,). policies, data: (n or 1, seats) address of
    each seat's policy (0: nobody, the game ends when no card is given) and its ``DATA``. facts: (n, FACTS_MAX).
    known: (n, seats) cards out of play each seat knows. shown: (n,) mask over seats whose hands lie open.
    sides, limits: (n,) a game ends with the trick in which this mask of seats takes more than this, in cost.
    """

    rules: np.ndarray
    hands: np.ndarray
    leaders: np.ndarray
    policies: np.ndarray
    data: np.ndarray
    facts: np.ndarray
    known: np.ndarray
    shown: np.ndarray
    sides: np.ndarray
    limits: np.ndarray


class Played(NamedTuple):
    """What came of them, filled in, all int64.

    cards: (n, cards) in order of play; given: a card that is not -1 is played as it stands. whys: the same shape, what
    decided each. winners: (n, tricks) seat, -1 for a trick not finished. taken: (n, seats) cost. faults: (n,) ``SOUND``
    or what is wrong with the last card.
    """

    cards: np.ndarray
    whys: np.ndarray
    winners: np.ndarray
    taken: np.ndarray
    faults: np.ndarray


@lean
def begin(w, frame, leader):
    """Clear a frame for the first trick."""
    for i in range(FRAME):
        frame[i] = 0
    frame[FIRST] = 1
    frame[FLAGS] = (PENDING if w[H_DUTY] else 0) | (0 if w[H_LEAD_LIMIT] else BROKEN)
    clear_table(w, frame, leader)


@lean
def clear_table(w, frame, leader):
    """A trick begins."""
    frame[LEADER] = leader
    frame[PLAYED] = 0
    frame[SUIT_CARD] = -1
    frame[BEST] = -1
    frame[WINNER] = -1
    for i in range(w[H_SEATS]):
        frame[TABLE + i] = -1


@lean
def note(w, frame, seat, card):
    """A card is played: the winner of the trick if it ends, else -1. Says in the frame what all have seen."""
    mask = bit(card)
    led = frame[SUIT_CARD]
    if led < 0:
        frame[LED + seat] |= w[W_CLASS + card]
        frame[SUIT_CARD], frame[BEST], frame[WINNER] = card, card, seat
    else:
        if not w[W_CLASS + led] & mask:
            frame[VOID + seat] |= w[W_CLASS + led]
        frame[SUIT_CARD] = suit_card(w, led, card)
        if takes(w, frame[BEST], card, frame[LAST]):
            frame[BEST], frame[WINNER] = card, seat
    frame[TABLE + frame[PLAYED]] = card
    frame[PLAYED] += 1
    frame[GONE] |= mask
    frame[COUNT] += 1
    frame[FLAGS] = flags_after(w, frame[FLAGS], mask)
    return frame[WINNER] if frame[PLAYED] == w[H_SEATS] else np.int64(-1)


@lean
def end_trick(w, frame, winner):
    """Count the trick on the table, which the winner leads after."""
    seats, cost = w[H_SEATS], w[H_TRICK_COST]
    for i in range(seats):
        card = frame[TABLE + i]
        if w[H_STAYS] & bit(card):
            frame[TAKEN + (frame[LEADER] + i) % seats] += w[W_COST + card]
        else:
            cost += w[W_COST + card]
    frame[TAKEN + winner] += cost + w[H_LAST_BONUS] if frame[LAST] else cost
    frame[TRICKS + winner] += 1
    frame[FLAGS] = flags_between(w, frame[FLAGS], frame[SUIT_CARD])
    frame[FIRST] = 0
    clear_table(w, frame, winner)


@lean
def may_play(w, frame):
    """The cards the seat to play may play."""
    hand, flags, first = frame[HAND], frame[FLAGS], frame[FIRST]
    if frame[PLAYED] == 0:
        return lead_cards(w, hand, flags, first)
    return legal_replies(w, hand, frame[SUIT_CARD], frame[BEST], first, flags, frame[SEAT], frame[WINNER])


@njit
def rebuild(w, leader, cards, hand, frame):
    """The frame of a seat to play with these cards, after the cards played so far; facts and the like are not in it."""
    seats = w[H_SEATS]
    begin(w, frame, leader)
    seat, last = leader, len(cards) // seats * seats if popcount(hand) == 1 else len(cards)
    for i in range(len(cards)):
        frame[LAST] = i >= last
        winner = note(w, frame, seat, cards[i])
        seat = seat + 1 if seat + 1 < seats else 0
        if winner >= 0:
            end_trick(w, frame, winner)
            seat = winner
    frame[SEAT] = seat
    frame[HAND] = hand
    frame[LEGAL] = may_play(w, frame)


@njit
def pack_all(header, cards, suits, packed):
    """Pack compiled rules, each array with one dimension more, into (rules, W_FREE)."""
    for i in range(len(packed)):
        pack(header[i], cards[i], suits[i], packed[i])


@njit
def play_games(packed, games, played):
    """Play all games. packed: (rules, W_FREE), made by ``pack_all``."""
    frame = np.zeros(FRAME, np.int64)
    for i in range(len(games.hands)):
        w = packed[games.rules[i]]
        k = i if len(games.policies) > 1 else 0
        played.faults[i] = play_game(
            w,
            games.hands[i],
            games.leaders[i],
            (games.policies[k], games.data[k], games.facts[i], games.known[i]),
            games.shown[i],
            (games.sides[i], games.limits[i]),
            (played.cards[i], played.whys[i], played.winners[i]),
            frame,
        )
        for s in range(w[H_SEATS]):
            played.taken[i, s] = frame[TAKEN + s]


@njit
def play_game(w, dealt, leader, players, shown, end, found, frame):
    """Play one game; what is wrong with the last card, if it was given. The frame (FRAME,) keeps the costs.

    The rest as in ``Games`` and ``Played``: players: (policies, data, facts, known), end: (side, limit), found: (cards,
    whys, winners).
    """
    policies, data, facts, known = players
    cards, whys, winners = found
    seats = w[H_SEATS]
    hands = np.zeros(MAX_SEATS, np.int64)
    begin(w, frame, leader)
    for k in range(FACTS_MAX):
        frame[FACTS + k] = facts[k]
    left = np.int64(0)
    for s in range(seats):
        hands[s] = dealt[s]
        left |= hands[s]
        if shown >> s & 1:
            frame[OPEN + s] = hands[s]
    seat, trick = leader, 0
    for n in range(len(cards)):
        frame[SEAT] = seat
        frame[HAND] = hands[seat]
        frame[KNOWN] = known[seat]
        frame[DATA] = data[seat]
        legal = may_play(w, frame)
        frame[LEGAL] = legal
        card = cards[n]
        if card < 0:
            if policies[seat] == 0:
                break
            card = call(policies[seat], frame)
            cards[n] = card
            whys[n] = frame[WHY]
        mask = bit(card)
        if not legal & mask:
            return NOT_ALLOWED if hands[seat] & mask else NOT_HELD
        hands[seat] ^= mask
        left ^= mask
        if frame[PLAYED] == 0:
            frame[LAST] = hands[seat] == 0
        if frame[OPEN + seat]:
            frame[OPEN + seat] = hands[seat]
        winner = note(w, frame, seat, card)
        if winner < 0:
            seat = seat + 1 if seat + 1 < seats else 0
            continue
        end_trick(w, frame, winner)
        winners[trick] = winner
        trick += 1
        seat = winner
        if left == 0 or over_limit(frame, seats, end):
            break
    return SOUND


@lean
def over_limit(frame, seats, end):
    """Whether a side has taken more than its limit."""
    side, limit = end
    if side == 0:
        return False
    taken = np.int64(0)
    for s in range(seats):
        if side >> s & 1:
            taken += frame[TAKEN + s]
    return taken > limit
