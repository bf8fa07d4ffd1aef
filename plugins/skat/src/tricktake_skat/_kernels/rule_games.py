"""Whole games of three rule players: deal, auction, exchange, play and score in one compiled loop."""

import numpy as np

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels.cards import (
    CLASS,
    EYES,
    MIN_BID,
    NULL,
    beats,
    eyes_of,
    legal_cards,
    matadors,
    mix,
    next_bid,
    result,
)
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat._kernels.position import (
    P_DECLARER,
    P_GAME,
    P_GONE,
    P_HAND,
    P_LEADER,
    P_LED,
    P_OPEN,
    P_SEAT,
    P_SIZE,
    P_SKAT,
    P_TABLE,
    P_VOID,
)
from tricktake_skat._kernels.rule_bid import BID, FINAL, HAND, OUVERT, best_put, bid_limit, hand_game, logit
from tricktake_skat._kernels.rule_play import choose

# Columns of the table of games.
G_BID = 0
G_DECLARER = 1  # -1: passed in
G_GAME = 2  # 0 to 3 suits, 4 grand, 5 Null
G_HAND = 3
G_OUVERT = 4
G_PUT = 5  # mask of the skat at the end
G_EYES = 6
G_TRICKS = 7
G_WON = 8
G_VALUE = 9  # signed
G_PLAYED = 10  # number of cards
GAME_COLUMNS = 11
CARDS = 30

SLIP = 60  # what decided: a card drawn at random, after the numbers of ``rule_play`` and ``rule_null``
SURE = 1 << 32  # a chance of 1
NO_SLIPS = np.zeros(3, np.int64)


@njit
def note_card(p, seat, card):
    """Note in a position array that ``seat`` has played ``card`` to the trick on the table."""
    led = p[P_TABLE]
    if led < 0:
        p[P_TABLE] = card
        p[P_LED + seat] |= CLASS[p[P_GAME], card]
    else:
        if not CLASS[p[P_GAME], led] >> card & 1:
            p[P_VOID + seat] |= CLASS[p[P_GAME], led]
        if p[P_TABLE + 1] < 0:
            p[P_TABLE + 1] = card
    p[P_GONE] |= 1 << card


@njit
def start(p, game, leader):
    """Clear a position array for the first trick."""
    p[:] = 0
    p[P_GAME] = game
    p[P_LEADER] = leader
    p[P_TABLE] = -1
    p[P_TABLE + 1] = -1


@njit
def slip(key, legal):
    """A card drawn from those that may be played."""
    for _ in range((key * popcount(legal)) >> 32):
        legal &= legal - 1
    return lowbit_index(legal)


@njit
def play(game, declarer, hands, skat, known, ouvert, p, cards, rules, slips=NO_SLIPS, key=0, opening=-1):
    """Play a game with the rules of thumb; eyes with the skat, tricks of the declarer, and the cards played.

    known: whether the declarer has seen the skat. cards, rules: shape (30,), filled in order of play. slips: chance of
    each seat, of ``SURE``, to play a card at random; ``key``, below 2**32, decides when and which. opening: the card
    forehand leads to the first trick whatever the rules say, -1 for theirs.
    """
    start(p, game, 0)
    p[P_DECLARER] = declarer
    leader, eyes, tricks, n = 0, eyes_of(skat), 0, 0
    for _ in range(10):
        best, winner, points = -1, leader, 0
        for k in range(3):
            seat = (leader + k) % 3
            p[P_SEAT] = seat
            p[P_HAND] = hands[seat]
            p[P_SKAT] = skat if known and seat == declarer else 0
            p[P_OPEN] = hands[declarer] if ouvert and seat != declarer else 0
            card, rule = choose(p)
            if slips[seat] > 0 and mix(key, n) < slips[seat]:
                card, rule = slip(mix(key, CARDS + n), legal_cards(game, hands[seat], p[P_TABLE])), SLIP
            if n == 0 and opening >= 0:
                card = opening
            cards[n] = card
            rules[n] = rule
            n += 1
            hands[seat] &= ~(1 << card)
            points += EYES[card]
            if best < 0 or beats(game, card, best):
                best, winner = card, seat
            note_card(p, seat, card)
        p[P_TABLE] = -1
        p[P_TABLE + 1] = -1
        leader = winner
        p[P_LEADER] = leader
        if winner == declarer:
            eyes += points
            tricks += 1
            if game == NULL:
                break
    return eyes, tricks, n


@njit
def auction(limits, bids):
    """Bid up to the limits: (declarer, final bid), declarer -1 if all pass.

    bids: highest bid or hold of each seat, filled in.
    """
    bids[:] = 0
    value = 0
    survivor = 0
    for bidder in (1, 2):
        while True:
            bid = next_bid(value)
            if bid > limits[bidder]:
                break
            value = bid
            bids[bidder] = bid
            if limits[survivor] < bid:
                survivor = bidder
                break
            bids[survivor] = bid
    if value == 0:
        if limits[0] < MIN_BID:
            return -1, 0
        bids[0] = MIN_BID
        return 0, MIN_BID
    return survivor, value


@njit
def play_deals(places, games, cards, rules, bids, slips, seed):
    """Three rule players play the deals.

    places: (n, 4) masks of the seats and the skat. games: (n, GAME_COLUMNS), cards and rules: (n, 30), -1 where
    nothing was played, bids: (n, 3); all are filled in. slips: (n, 3) or (1, 3) for all, chances of ``SURE`` that a
    seat plays at random; ``seed`` decides when.
    """
    p = np.zeros(P_SIZE, np.int64)
    hands = np.zeros(3, np.int64)
    limits = np.zeros(3, np.int64)
    for i in range(len(places)):
        games[i, :] = 0
        cards[i, :] = -1
        rules[i, :] = -1
        for seat in range(3):
            hands[seat] = places[i, seat]
            limits[seat], _ = bid_limit(hands[seat], seat)
        declarer, bid = auction(limits, bids[i])
        skat = places[i, 3]
        games[i, G_DECLARER] = declarer
        games[i, G_BID] = bid
        games[i, G_PUT] = skat
        if declarer < 0:
            continue
        all_cards = hands[declarer] | skat
        game = hand_game(hands[declarer], declarer, bid)
        known = game < 0
        if known:
            game, skat, _ = best_put(all_cards, declarer, bid, -1)
            hands[declarer] = all_cards & ~skat
        ouvert = game == OUVERT
        game = min(game, NULL)
        chances, key = slips[i if len(slips) > 1 else 0], mix(seed & 0xFFFFFFFF, mix(i & 0xFFFFFFFF, places[i, 0]))
        eyes, tricks, n = play(game, declarer, hands, skat, known, ouvert, p, cards[i], rules[i], chances, key)
        won, value = result(game, matadors(game, all_cards), not known, ouvert, bid, eyes, tricks)
        games[i, G_GAME] = game
        games[i, G_HAND] = not known
        games[i, G_OUVERT] = ouvert
        games[i, G_PUT] = skat
        games[i, G_EYES] = eyes
        games[i, G_TRICKS] = tricks
        games[i, G_WON] = won
        games[i, G_VALUE] = value
        games[i, G_PLAYED] = n


@njit
def play_contracts(places, contracts, games, cards, rules):
    """Three rule players play given contracts.

    places: (n, 4) masks of hands and skat after the exchange. contracts: (n, 5) declarer, game, hand, ouvert, bid.
    games, cards, rules: as in ``play_deals``, filled in.
    """
    p = np.zeros(P_SIZE, np.int64)
    hands = np.zeros(3, np.int64)
    for i in range(len(places)):
        games[i, :] = 0
        cards[i, :] = -1
        rules[i, :] = -1
        hands[:] = places[i, :3]
        declarer, game, hand, ouvert, bid = contracts[i]
        skat = places[i, 3]
        all_cards = hands[declarer] | skat
        eyes, tricks, n = play(game, declarer, hands, skat, hand == 0, ouvert != 0, p, cards[i], rules[i])
        won, value = result(game, matadors(game, all_cards), hand != 0, ouvert != 0, bid, eyes, tricks)
        games[i] = np.array((bid, declarer, game, hand, ouvert, skat, eyes, tricks, won, value, n))


@njit
def forced_games(places, game, stage, floor, features, won, dealt):
    """Games for fitting the weights: each seat of each deal in turn plays ``game`` if its odds exceed ``floor``.

    stage: FINAL records the features after the exchange, BID those of the ten cards before it, HAND a hand game.
    features: (3 n, F_SIZE), won: (3 n,), dealt: (3 n, 4) the hands at the first trick and the seat that declares;
    filled in. Returns how many games were played.
    """
    p = np.zeros(P_SIZE, np.int64)
    hands = np.zeros(3, np.int64)
    cards = np.zeros(CARDS, np.int64)
    f = np.zeros(F_SIZE)
    count = 0
    for i in range(len(places)):
        for seat in range(3):
            hands[:] = places[i, :3]
            skat = places[i, 3]
            if logit(game, hands[seat], 0, seat, HAND if stage == HAND else BID, f) < floor:
                continue
            features[count] = f
            if stage != HAND:
                together = hands[seat] | skat
                _, skat, _ = best_put(together, seat, 0, game)
                hands[seat] = together & ~skat
                if stage == FINAL:
                    logit(game, hands[seat], skat, seat, FINAL, features[count])
            dealt[count, :3] = hands
            dealt[count, 3] = seat
            eyes, tricks, _ = play(
                min(game, NULL), seat, hands, skat, stage != HAND, game == OUVERT, p, cards, cards.copy()
            )
            won[count] = tricks == 0 if game >= NULL else eyes >= 61
            count += 1
    return count
