"""Bounds on what a side still gets, without search: tricks that cannot be lost, tricks that cannot be forced on one.

They hold where suits must be followed and no cost is negative (S.BOUNDS). Each says what ranks it rests on (S.REL).
"""

import numpy as np

from tricktake._kernels import opencard_state as S
from tricktake._kernels import shape, tally
from tricktake._kernels._jit import highbit_index, lean, lowbit_index, popcount
from tricktake._kernels.layout import H_COPIES, H_SEATS, H_SUITS, H_TIE, H_TRICK_COST, H_TRUMP
from tricktake._kernels.play import (
    W_COST,
    W_POWER,
    W_PRICE,
    W_PRICED,
    W_PRICES,
    W_SUITS,
    W_TRUMPS,
    W_UPTO,
    bit,
    larger,
    smaller,
)


@lean
def sure_cost(w, leader):
    """What the leader takes by leading all his sure winners: his own cards and at least the cheapest of the others."""
    sure = sure_winners(w, leader)
    tricks = popcount(sure)
    if tricks == 0:
        return np.int64(0)
    total = tricks * w[H_TRICK_COST]
    tally.put(w, S.TALLY, sure, sure | w[S.REST] & ~w[S.HANDS + leader])
    if w[W_PRICES] == 1:
        return total + tricks * w[H_SEATS] * w[W_PRICE]
    total += cost_of(w, sure)
    for seat in range(w[H_SEATS]):
        if seat != leader:
            total += least_played(w, w[S.HANDS + seat], sure)
    return total


@lean
def cost_of(w, cards):
    """The cost of some cards together."""
    total = np.int64(0)
    while cards:
        total += w[W_COST + lowbit_index(cards)]
        cards &= cards - 1
    return total


@lean
def least_played(w, hand, led):
    """The least that the cards cost which a hand plays when these are led: it follows suit as long as it can."""
    total, left, thrown = np.int64(0), hand, np.int64(0)
    for suit in range(w[H_SUITS]):
        rounds = popcount(led & w[W_SUITS + suit])
        if rounds:
            following = hand & w[W_SUITS + suit]
            n = smaller(rounds, popcount(following))
            thrown += rounds - n
            played = cheapest_cards(w, following, n)
            left &= ~played
            total += cost_of(w, played)
    return total + cost_of(w, cheapest_cards(w, left, thrown))


@lean
def cheapest_cards(w, cards, n):
    """The ``n`` cheapest of some cards, or all if they are fewer."""
    found, i = np.int64(0), W_PRICED + w[W_PRICES] - 1
    while n > 0 and i >= W_PRICED:
        some = cards & w[i]
        while some and n > 0:
            found |= some & -some
            some &= some - 1
            n -= 1
        i -= 1
    return found


@lean
def sure_winners(w, leader):
    """The leader's cards that win if he leads them one after the other.

    Sure are the trumps from the top; the other suits' cards from the top, as many as all others must follow, or all
    if no other has a trump left after those rounds, then with the rest of a suit that nobody else has left.
    """
    rest, mine, seats, trump, trumps = w[S.REST], w[S.HANDS + leader], w[H_SEATS], w[H_TRUMP], w[W_TRUMPS]
    others = rest & ~mine
    rel = np.int64(0)
    sure = from_top(w, rest & trumps, mine, np.int64(64))
    if others & trumps:
        rel |= sure
    rounds = popcount(sure)
    ruffed = False
    for seat in range(seats):
        if seat != leader and popcount(w[S.HANDS + seat] & trumps) > rounds:
            ruffed = True
    for suit in range(w[H_SUITS]):
        cards = w[W_SUITS + suit]
        if suit == trump or not mine & cards:
            continue
        limit, longest = np.int64(64), np.int64(0)
        for seat in range(seats):
            if seat != leader:
                held = w[S.HANDS + seat] & cards
                length = popcount(held)
                limit = smaller(limit, length - 1 if held & w[S.LOOSE] else length)
                longest = larger(longest, length)
        got = from_top(w, rest & cards, mine, limit if ruffed else np.int64(64))
        if others & cards:
            rel |= got
        if not ruffed and got and longest <= popcount(got):
            got = mine & cards
        sure |= got
    if not ruffed:
        sure |= mine & trumps  # nobody else has any left by then
    w[S.REL] = rel
    return sure


@lean
def from_top(w, cards, hand, most):
    """The highest of some cards that lie in ``hand``, down to the first that does not, ``most`` at the most."""
    run, n = np.int64(0), np.int64(0)
    while cards and n < most:
        top = bit(highbit_index(cards))
        if not hand & top:
            break
        run |= top
        cards ^= top
        n += 1
    if w[H_COPIES] and cards:
        return among_twins(w, run, cards, hand, most - n)
    return run


@lean
def among_twins(w, run, cards, hand, most):
    """A run of winners that ends above some cards, whose highest may have copies: led first they win, or they lose."""
    twins = shape.twins(w, highbit_index(cards))
    if w[H_TIE]:
        return run & ~twins if cards & twins & ~hand else run
    twins &= cards & hand
    while twins and most > 0:
        run |= twins & -twins
        twins &= twins - 1
        most -= 1
    return run


@lean
def coalition_of(w, seat):
    """The seats that play together with ``seat``, and it."""
    side = w[S.SIDE]
    return side if side >> seat & 1 else (bit(w[H_SEATS]) - 1) ^ side


@lean
def top_run(w, hand, suit, passed):
    """The cards of ``hand`` from the top of a suit, after the ``passed`` highest cards of it."""
    x, run = w[S.REST] & w[W_SUITS + suit], np.int64(0)
    while x:
        top = bit(highbit_index(x))
        if passed > 0:
            passed -= 1
        elif not hand & top:
            break
        else:
            run |= top
        x ^= top
    return run


@lean
def longest_of_others(w, seat, suit):
    """The number of cards the longest other hand has of a suit."""
    longest = np.int64(0)
    for other in range(w[H_SEATS]):
        if other != seat:
            longest = larger(longest, popcount(w[S.HANDS + other] & w[W_SUITS + suit]))
    return longest


@lean
def quick_tricks(w, leader, coalition):
    """How many tricks the leader's coalition takes at once: he cashes his winners, then crosses to a partner's.

    An idea of double dummy solver DDS (Haglund), in a simpler form.
    """
    tricks = popcount(w[S.HANDS + leader])
    total, drawn = cashed(w, leader, coalition)
    if total >= tricks or not drawn:
        return smaller(total, tricks)
    return total + crossed(w, leader, coalition, tricks - total)


@lean
def cashed(w, leader, coalition):
    """How many tricks the leader's own winners take, those of ``sure_winners`` except that only opponents can ruff; and
    whether nobody else has trumps left after his. S.ROUNDS gets the rounds of each suit.
    """
    rest, mine, seats, trump, trumps = w[S.REST], w[S.HANDS + leader], w[H_SEATS], w[H_TRUMP], w[W_TRUMPS]
    rel, total = np.int64(0), np.int64(0)
    if trump >= 0:
        run = top_run(w, mine, trump, 0)
        total = popcount(run)
        if rest & trumps & ~mine:
            rel |= run
    rounds, ruffed, drawn = total, False, True
    for seat in range(seats):
        if seat != leader and popcount(w[S.HANDS + seat] & trumps) > rounds:
            drawn = False
            if not coalition >> seat & 1:
                ruffed = True
    if drawn:
        total = popcount(mine & trumps)
    for suit in range(w[H_SUITS]):
        w[S.ROUNDS + suit] = 0
        cards = w[W_SUITS + suit]
        if suit == trump or not mine & cards:
            continue
        run = top_run(w, mine, suit, 0)
        if not run:
            continue
        if ruffed:
            limit = popcount(run)
            for seat in range(seats):
                hand = w[S.HANDS + seat]
                if not coalition >> seat & 1 and popcount(hand & trumps) > rounds:
                    limit = smaller(limit, popcount(hand & cards) - (1 if hand & cards & w[S.LOOSE] else 0))
            while popcount(run) > limit:
                run &= run - 1
        n = popcount(run)
        if rest & cards & ~mine:
            rel |= run
        if n and not ruffed and longest_of_others(w, leader, suit) <= n:
            n = popcount(mine & cards)
        w[S.ROUNDS + suit] = n
        total += n
    for seat in range(seats if not drawn else 0):
        hand = w[S.HANDS + seat]
        if seat != leader and coalition >> seat & 1 and hand & trumps and popcount(hand & ~trumps) < total:
            total = popcount(hand & ~trumps)  # he may have to ruff then, which moves the lead
    w[S.REL] = rel
    return total, drawn


@lean
def crossed(w, leader, coalition, left):
    """How many of the ``left`` tricks a partner of the leader takes, when nobody has trumps any more: his own winners,
    high from the top of a suit or high after the leader's, if a card is left to reach him with.
    """
    rest, mine, trump = w[S.REST], w[S.HANDS + leader], w[H_TRUMP]
    most, rel = np.int64(0), np.int64(0)
    for seat in range(w[H_SEATS]):
        hand = w[S.HANDS + seat]
        if seat == leader or not coalition >> seat & 1:
            continue
        winners, found, reached = np.int64(0), np.int64(0), False
        for suit in range(w[H_SUITS]):
            cards = w[W_SUITS + suit]
            passed = w[S.ROUNDS + suit]
            if suit == trump or not hand & cards or (passed and passed == popcount(mine & cards)):
                continue
            run = top_run(w, hand, suit, passed)
            n, length = popcount(run), popcount(hand & cards)
            if n == 0 or (passed and length - n < passed):
                continue
            if mine & cards:
                reached = True
            if rest & cards & ~hand:
                found |= run
            if passed == 0 and longest_of_others(w, seat, suit) <= n:
                n = length
            winners += n
        winners = smaller(winners, left)
        if reached and winners > most:
            most, rel = winners, found
    w[S.REL] |= rel
    return most


@lean
def counted_trumps(w, coalition):
    """How many tricks a coalition gets with the trumps of one hand, whoever leads and whatever is played.

    Each of them is played to another trick, and is lost only to a higher trump of the opponents, which takes one
    trick: so no more of them are lost than can be matched with higher ones, one to one (docs/solver.md).
    """
    most, rel = np.int64(0), np.int64(0)
    against = np.int64(0)
    for seat in range(w[H_SEATS]):
        if not coalition >> seat & 1:
            against |= w[S.HANDS + seat] & w[W_TRUMPS]
    for seat in range(w[H_SEATS]):
        mine = w[S.HANDS + seat] & w[W_TRUMPS]
        if not coalition >> seat & 1 or popcount(mine) <= most:
            continue
        x, n, free, lowest = mine | against, np.int64(0), np.int64(0), np.int64(0)
        while x:
            top = bit(highbit_index(x))
            x ^= top
            if against & top:
                free += 1
            elif free:
                free -= 1
            else:
                n += 1
                lowest = top
        if n > most:
            most, rel = n, lowest if against else np.int64(0)
    w[S.REL] = rel
    return most


@lean
def top_trump_cost(w, coalition):
    """What a coalition gets with the highest trumps, as far as they are all its own, whoever leads.

    Each trick to which one of them is played is the coalition's. Those of one hand are played to different tricks, to
    which each opponent plays a card.
    """
    x, run = w[S.REST] & w[W_TRUMPS], np.int64(0)
    against = np.int64(0)
    for seat in range(w[H_SEATS]):
        if not coalition >> seat & 1:
            against |= w[S.HANDS + seat]
    while x:
        top = bit(highbit_index(x))
        if against & top:
            run &= ~w[W_UPTO + highbit_index(top)]  # copies of this card
            break
        x ^= top
        run |= top
    w[S.REL] = 0
    if not run:
        return np.int64(0)
    if against & w[W_TRUMPS]:
        w[S.REL] = run & -run
    tally.put(w, S.TALLY, run, run | against)
    tricks = np.int64(0)
    for seat in range(w[H_SEATS]):
        tricks = larger(tricks, popcount(w[S.HANDS + seat] & run))
    total = tricks * w[H_TRICK_COST] + cost_of(w, run)
    for seat in range(w[H_SEATS]):
        if not coalition >> seat & 1:
            total += cost_of(w, cheapest_cards(w, w[S.HANDS + seat], tricks))
    return total


@lean
def ducks_all(w, seat):
    """Whether a seat that is not on lead can lose every trick at no trump: its i-th lowest card of a suit is below the
    i-th lowest of all others, as far as both go.
    """
    rel = np.int64(0)
    for suit in range(w[H_SUITS]):
        x = w[S.HANDS + seat] & w[W_SUITS + suit]
        y = w[S.REST] & w[W_SUITS + suit] & ~x
        if x and y:
            rel |= bit(lowbit_index(x))
        while x and y:
            if w[W_POWER + lowbit_index(x)] >= w[W_POWER + lowbit_index(y)]:
                return False
            x &= x - 1
            y &= y - 1
    w[S.REL] = rel
    return True


@lean
def lone_seat(w):
    """The seat of a side of one, else -1."""
    side = w[S.SIDE]
    return np.int64(lowbit_index(side)) if side & (side - 1) == 0 else np.int64(-1)
