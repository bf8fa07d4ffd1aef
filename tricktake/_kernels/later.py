"""Bounds on what a coalition still gets whoever leads: tricks that it takes later, if not at once.

They hold where those of ``bounds`` do, where only tricks count, between tricks. Each says what ranks it rests on
(S.REL). Proofs: docs/solver.md. Idea: later tricks of double dummy solver DDS (Haglund), by bounds of our own.
"""

import numpy as np

from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import highbit_index, lean, popcount
from tricktake._kernels.bounds import counted_trumps
from tricktake._kernels.layout import H_SEATS, H_SUITS
from tricktake._kernels.play import W_FROM, W_SUITS, W_TRUMPS, bit, larger


@lean
def later_tricks(w, coalition, leader, wanted):
    """How many tricks a coalition gets, at least. What can find but one more is asked if that is the ``wanted`` one."""
    if not w[S.REST] & w[W_TRUMPS]:
        sure = kept_winners(w, coalition)
        return stopped(w, coalition, leader) if sure == 0 and wanted == 1 else sure
    sure = counted_trumps(w, coalition)
    if sure + 1 != wanted:
        return sure
    rel, trumps = w[S.REL], held_by(w, coalition) & w[W_TRUMPS]
    if sure == 0 and guarded_trump(w, coalition, leader):
        return np.int64(1)
    for seat in range(w[H_SEATS]):
        # Beside counted trumps only if they are all this seat's: a partner's trick might be one of them.
        if coalition >> seat & 1 and (sure == 0 or not trumps & ~w[S.HANDS + seat]):
            if kept_top(w, seat, coalition, leader):
                w[S.REL] |= rel
                return sure + 1
    w[S.REL] = rel
    return sure


@lean
def held_by(w, coalition):
    """All cards of a coalition."""
    cards = np.int64(0)
    for seat in range(w[H_SEATS]):
        if coalition >> seat & 1:
            cards |= w[S.HANDS + seat]
    return cards


@lean
def longest_of(w, seats, suit):
    """The number of cards the longest of some hands has of a suit."""
    longest = np.int64(0)
    for seat in range(w[H_SEATS]):
        if seats >> seat & 1:
            longest = larger(longest, popcount(w[S.HANDS + seat] & w[W_SUITS + suit]))
    return longest


@lean
def others_of(w, seats):
    """All other seats."""
    return (bit(w[H_SEATS]) - 1) ^ seats


@lean
def highest(cards):
    """The highest of some cards of a suit, none of none."""
    return bit(highbit_index(cards)) if cards else np.int64(0)


@lean
def kept_winners(w, coalition):
    """What a coalition gets where nobody has trumps: the winners that each of its seats can keep."""
    total, rel, tops = np.int64(0), np.int64(0), np.int64(0)
    for suit in range(w[H_SUITS]):
        tops |= highest(w[S.REST] & w[W_SUITS + suit])
    for seat in range(w[H_SEATS]):
        if coalition >> seat & 1 and w[S.HANDS + seat] & tops:
            tricks = winners_kept(w, seat)
            if tricks:
                total += tricks
                rel |= w[S.REL]
    w[S.REL] = rel
    return total


@lean
def winners_kept(w, seat):
    """How many winners a seat has once a suit of theirs is led: it throws none as long as it has other cards.

    Suits in which it has no winner are led no more often than the longest of the others is.
    """
    mine, others = w[S.HANDS + seat], others_of(w, bit(seat))
    winners, suits, led, rel = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for suit in range(w[H_SUITS]):
        left = w[S.REST] & w[W_SUITS + suit]
        rivals, run = left & ~mine, left & mine
        if rivals:
            above = highbit_index(rivals) + 1
            run = run >> above << above
        longest = longest_of(w, others, suit)
        if not run:
            led += longest
            continue
        if rivals:
            rel |= run & -run
        n = popcount(run)
        winners += n if longest > n else popcount(left & mine)
        suits += 1
    w[S.REL] = rel
    kept = popcount(mine) - led
    if winners <= kept:
        return winners
    return kept if kept >= suits else np.int64(0)


@lean
def stopped(w, coalition, leader):
    """1 if the others cannot take all tricks where nobody has trumps, else 0.

    A hand guards a suit with cards of which one at least cannot be beaten (as in ``counted_trumps``); of a suit that
    nobody guards the others take as many as their longest hand has. All guards can be kept if that leaves a hand a card
    for each of them.
    """
    others = others_of(w, coalition)
    against = held_by(w, others)
    tricks, guards, rel = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(w[H_SEATS]):
        w[S.GUARDED + seat] = 0
    for suit in range(w[H_SUITS]):
        rivals = against & w[W_SUITS + suit]
        if not rivals:
            continue
        longest, fewest, holder, lowest = longest_of(w, others, suit), np.int64(0), np.int64(0), np.int64(0)
        for seat in range(w[H_SEATS]):
            if coalition >> seat & 1:
                n, last = guard(w[S.HANDS + seat] & w[W_SUITS + suit], rivals)
                if n and (fewest == 0 or n < fewest):
                    fewest, holder, lowest = n, np.int64(seat), last
        if fewest and fewest <= longest:
            tricks += fewest - 1
            rel |= lowest
            w[S.GUARDED + holder] += 1
            guards = larger(guards, w[S.GUARDED + holder])
        else:
            tricks += longest
    w[S.REL] = rel
    return np.int64(guards > 0 and popcount(w[S.HANDS + leader]) - tricks >= guards)


@lean
def guard(mine, rivals):
    """How many cards from the top a hand must keep of a suit so that not all can be beaten, 0 if there is no such
    number; and the lowest of them.
    """
    x, free, n = mine | rivals, np.int64(0), np.int64(0)
    while x:
        top = highest(x)
        x ^= top
        if rivals & top:
            free += 1
            continue
        n += 1
        if free == 0:
            return n, top
        free -= 1
    return np.int64(0), np.int64(0)


@lean
def guarded_trump(w, coalition, leader):
    """Whether a coalition gets a trick with a trump behind all higher ones: those are in the hand just before, an
    opponent's, and fewer than the hand's own trumps.
    """
    for seat in range(w[H_SEATS]):
        mine = w[S.HANDS + seat] & w[W_TRUMPS]
        if not coalition >> seat & 1 or not mine or (seat == leader and mine == w[S.HANDS + seat]):
            continue
        before = seat - 1 if seat else w[H_SEATS] - 1
        if coalition >> before & 1:
            continue
        card = highbit_index(mine)
        above = w[S.REST] & w[W_FROM + card] & ~mine
        if not above & ~w[S.HANDS + before] and popcount(above) < popcount(mine):
            w[S.REL] = bit(card)
            return True
    return False


@lean
def kept_top(w, holder, coalition, leader):
    """Whether a seat takes a trick with the highest card of a side suit: no opponent can be out of the suit before it
    is led, as long as only they lead.
    """
    for suit in range(w[H_SUITS]):
        cards = w[W_SUITS + suit]
        top = highest(w[S.REST] & cards)
        if cards == w[W_TRUMPS] or not w[S.HANDS + holder] & top:
            continue
        # A coalition on lead leads the suit, or else something to which they throw a card.
        first = np.int64(coalition >> leader & 1 and not w[S.HANDS + leader] & cards)
        sure = True
        for seat in range(w[H_SEATS]):
            if not coalition >> seat & 1:
                if popcount(w[S.HANDS + seat] & cards) <= first + most_thrown(w, seat, coalition, suit):
                    sure = False
                    break
        if sure:
            w[S.REL] = top
            return True
    return False


@lean
def most_thrown(w, seat, coalition, suit):
    """How many cards of a suit an opponent of a coalition can throw on the leads of its opponents, at most."""
    most, others = np.int64(0), others_of(w, coalition)
    for other in range(w[H_SUITS]):
        if other != suit:
            most += longest_of(w, others, other) - popcount(w[S.HANDS + seat] & w[W_SUITS + other])
    return most
