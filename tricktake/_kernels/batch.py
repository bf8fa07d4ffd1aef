"""The loop that plays whole games, whatever the game: rules are arrays, players are policies called by their address.

A policy (``_jit.policy``) is asked for a card with a frame: int64 words of what its seat may see, and nothing else.
Words that a game adds are ``FACTS``, what a contract is known by. The loop keeps the frame up to date card by card;
a policy only reads it, and may say why in ``WHY``. ``DATA`` is a number of the policy's own: which of its rules are
switched on, or for a network the address of its weights. The frame holds all that its inputs are made of.

Cards are numbered as the packed rules are: in compiled bits or, for rules of thumb that name cards, as in the deck.
"""

import numpy as np

from tricktake._kernels import batch_frame as F
from tricktake._kernels import layout as L
from tricktake._kernels._jit import call, lean, njit, popcount
from tricktake._kernels.batch_frame import *  # noqa: F403
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


@lean
def begin(w, frame, leader):
    """Clear a frame for the first trick."""
    for i in range(F.FRAME):
        frame[i] = 0
    frame[F.FIRST] = 1
    frame[F.FLAGS] = (L.PENDING if w[L.H_DUTY] else 0) | (0 if w[L.H_LEAD_LIMIT] else L.BROKEN)
    clear_table(w, frame, leader)


@lean
def clear_table(w, frame, leader):
    """A trick begins."""
    frame[F.LEADER] = leader
    frame[F.PLAYED] = 0
    frame[F.SUIT_CARD] = -1
    frame[F.BEST] = -1
    frame[F.WINNER] = -1
    for i in range(w[L.H_SEATS]):
        frame[F.TABLE + i] = -1


@lean
def note(w, frame, seat, card):
    """A card is played: the winner of the trick if it ends, else -1. Says in the frame what all have seen."""
    mask = bit(card)
    led = frame[F.SUIT_CARD]
    if led < 0:
        frame[F.LED + seat] |= w[W_CLASS + card]
        frame[F.SUIT_CARD], frame[F.BEST], frame[F.WINNER] = card, card, seat
    else:
        if not w[W_CLASS + led] & mask:
            frame[F.VOID + seat] |= w[W_CLASS + led]
        frame[F.SUIT_CARD] = suit_card(w, led, card)
        if takes(w, frame[F.BEST], card, frame[F.LAST]):
            frame[F.BEST], frame[F.WINNER] = card, seat
    frame[F.TABLE + frame[F.PLAYED]] = card
    frame[F.PLAYED] += 1
    frame[F.GONE] |= mask
    frame[F.COUNT] += 1
    frame[F.FLAGS] = flags_after(w, frame[F.FLAGS], mask)
    return frame[F.WINNER] if frame[F.PLAYED] == w[L.H_SEATS] else np.int64(-1)


@lean
def end_trick(w, frame, winner):
    """Count the trick on the table, which the winner leads after."""
    seats, cost = w[L.H_SEATS], w[L.H_TRICK_COST]
    for i in range(seats):
        card = frame[F.TABLE + i]
        if w[L.H_STAYS] & bit(card):
            frame[F.TAKEN + (frame[F.LEADER] + i) % seats] += w[W_COST + card]
        else:
            cost += w[W_COST + card]
    frame[F.TAKEN + winner] += cost + w[L.H_LAST_BONUS] if frame[F.LAST] else cost
    frame[F.TRICKS + winner] += 1
    frame[F.FLAGS] = flags_between(w, frame[F.FLAGS], frame[F.SUIT_CARD])
    frame[F.FIRST] = 0
    clear_table(w, frame, winner)


@lean
def may_play(w, frame):
    """The cards the seat to play may play."""
    hand, flags, first = frame[F.HAND], frame[F.FLAGS], frame[F.FIRST]
    if frame[F.PLAYED] == 0:
        return lead_cards(w, hand, flags, first)
    return legal_replies(w, hand, frame[F.SUIT_CARD], frame[F.BEST], first, flags, frame[F.SEAT], frame[F.WINNER])


@njit
def rebuild(w, leader, cards, hand, frame):
    """The frame of a seat to play with these cards, after the cards played so far; facts and the like are not in it."""
    seats = w[L.H_SEATS]
    begin(w, frame, leader)
    seat, last = leader, len(cards) // seats * seats if popcount(hand) == 1 else len(cards)
    for i in range(len(cards)):
        frame[F.LAST] = i >= last
        winner = note(w, frame, seat, cards[i])
        seat = seat + 1 if seat + 1 < seats else 0
        if winner >= 0:
            end_trick(w, frame, winner)
            seat = winner
    frame[F.SEAT] = seat
    frame[F.HAND] = hand
    frame[F.LEGAL] = may_play(w, frame)


@njit
def pack_all(header, cards, suits, packed):
    """Pack compiled rules, each array with one dimension more, into (rules, W_FREE)."""
    for i in range(len(packed)):
        pack(header[i], cards[i], suits[i], packed[i])


@njit
def play_games(packed, games, played):
    """Play all games. packed: (rules, W_FREE), made by ``pack_all``."""
    frame = np.zeros(F.FRAME, np.int64)
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
        for s in range(w[L.H_SEATS]):
            played.taken[i, s] = frame[F.TAKEN + s]


@njit
def play_game(w, dealt, leader, players, shown, end, found, frame):
    """Play one game; what is wrong with the last card, if it was given. The frame (FRAME,) keeps the costs.

    The rest as in ``Games`` and ``Played``: players: (policies, data, facts, known), end: (side, limit), found: (cards,
    whys, winners).
    """
    policies, data, facts, known = players
    cards, whys, winners = found
    seats = w[L.H_SEATS]
    hands = np.zeros(L.MAX_SEATS, np.int64)
    begin(w, frame, leader)
    for k in range(F.FACTS_MAX):
        frame[F.FACTS + k] = facts[k]
    left = np.int64(0)
    for s in range(seats):
        hands[s] = dealt[s]
        left |= hands[s]
        if shown >> s & 1:
            frame[F.OPEN + s] = hands[s]
    seat, trick = leader, 0
    for n in range(len(cards)):
        frame[F.SEAT] = seat
        frame[F.HAND] = hands[seat]
        frame[F.KNOWN] = known[seat]
        frame[F.DATA] = data[seat]
        legal = may_play(w, frame)
        frame[F.LEGAL] = legal
        card = cards[n]
        if card < 0:
            if policies[seat] == 0:
                break
            card = call(policies[seat], frame)
            cards[n] = card
            whys[n] = frame[F.WHY]
        mask = bit(card)
        if not legal & mask:
            return F.NOT_ALLOWED if hands[seat] & mask else F.NOT_HELD
        hands[seat] ^= mask
        left ^= mask
        if frame[F.PLAYED] == 0:
            frame[F.LAST] = hands[seat] == 0
        if frame[F.OPEN + seat]:
            frame[F.OPEN + seat] = hands[seat]
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
    return F.SOUND


@lean
def over_limit(frame, seats, end):
    """Whether a side has taken more than its limit."""
    side, limit = end
    if side == 0:
        return False
    taken = np.int64(0)
    for s in range(seats):
        if side >> s & 1:
            taken += frame[F.TAKEN + s]
    return taken > limit
