"""Bounds within a trick: a seat that is certain to win it, and cashes its winners then.

They hold where those of ``bounds`` do. What the seat's coalition plays is chosen here. Of the opponents who are still
to play only the cards are known that they may play (S.LOOSE, while winners are counted): one of them is gone by then.
Idea: quick tricks of the second hand in double dummy solver DDS (Haglund), here for any seat to play and any costs.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels import tally
from tricktake._kernels._jit import lean, lowbit_index, popcount
from tricktake._kernels.bounds import coalition_of, cost_of, least_played, quick_tricks, sure_winners
from tricktake._kernels.layout import H_SEATS, H_TRICK_COST
from tricktake._kernels.order import STYLE_TRICKS
from tricktake._kernels.play import W_BEAT, W_CLASS, W_FROM, W_PRICE, W_PRICES, W_TRUMPS, bit, dearest, reply_cards


@lean
def taken(w, f, coalition):
    """What a coalition gets from the trick on the table on, at least; 0 if none of its seats is certain to win it."""
    seats, seat = w[H_SEATS], w[f + F.SEAT]
    pending, threats = np.int64(0), np.int64(0)
    for _ in range(w[f + F.PLAYED], seats):
        pending |= bit(seat)
        if not coalition >> seat & 1:
            threats |= may_play(w, f, seat)
        seat = seat + 1 if seat + 1 < seats else 0
    most, rel, always, ever = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for seat in range(seats):
        if not coalition >> seat & 1:
            continue
        card = sure_card(w, f, seat, pending, threats)
        if card < 0:
            continue
        value = cash_after(w, f, seat, card, coalition & pending, pending & ~coalition, threats)
        if value > most:
            most, rel, always, ever = value, w[S.REL], w[S.TALLY], w[S.TALLY + 1]
    w[S.REL] = rel
    tally.put(w, S.TALLY, always, ever)
    return most


@lean
def may_play(w, f, seat):
    """The cards a seat may play to the trick on the table."""
    return reply_cards(w, w[S.HANDS + seat], w[f + F.LED], w[f + F.BEST], np.int64(0))


@lean
def not_under(w, card):
    """The cards that may win a trick against a card, copies of it included: they may be played before."""
    return w[W_BEAT + card] | w[W_FROM + card]


@lean
def sure_card(w, f, seat, pending, threats):
    """The lowest card with which a seat is certain to win the trick, -1 if there is none.

    pending: who is still to play. threats: the cards the opponents may play.
    """
    best = w[f + F.BEST]
    if not pending >> seat & 1:
        return best if seat == w[f + F.WINNER] and not w[W_BEAT + best] & threats else np.int64(-1)
    over = may_play(w, f, seat) & w[W_BEAT + best]
    while over:
        card = np.int64(lowbit_index(over))
        if not not_under(w, card) & threats:
            return card
        over &= over - 1
    return np.int64(-1)


@lean
def cash_after(w, f, seat, card, allies, rivals, threats):
    """What a coalition gets if its ``seat`` wins the trick with ``card`` and cashes its winners.

    0 if an ally must beat the card. allies, rivals: the seats still to play, as masks.
    """
    possible, own, choice = thrown_under(w, f, seat, card, allies)
    if not possible:
        return np.int64(0)
    own |= bit(card) & w[S.REST]
    for each in range(w[H_SEATS]):
        w[S.LAID + each] = w[S.HANDS + each]
        w[S.HANDS + each] &= ~own
    w[S.REST] ^= own
    w[S.LOOSE] = threats
    if w[S.STYLE] == STYLE_TRICKS:
        total = (1 + quick_tricks(w, seat, coalition_of(w, seat))) * even_trick(w)
    else:
        total = cost_after(w, f, seat, own, rivals)
    w[S.LOOSE] = 0
    w[S.REST] ^= own
    for each in range(w[H_SEATS]):
        w[S.HANDS + each] = w[S.LAID + each]
    if (w[f + F.TABLE] | threats | choice) & w[W_CLASS + card] & ~bit(card):
        w[S.REL] |= bit(card)
    return total


@lean
def thrown_under(w, f, seat, card, allies):
    """What the allies of a seat play under its winning card: whether they can, what they play, what they chose from.

    Each plays his lowest card, trumps last, or where costs differ the dearest.
    """
    thrown, choice = np.int64(0), np.int64(0)
    for ally in range(w[H_SEATS]):
        if ally == seat or not allies >> ally & 1:
            continue
        legal = may_play(w, f, ally)
        under = legal & ~not_under(w, card)
        if not under:
            return False, thrown, choice
        choice |= legal
        if w[W_PRICES] == 1:
            plain = under & ~w[W_TRUMPS]
            under = plain if plain else under
            thrown |= under & -under
        else:
            thrown |= bit(dearest(w, under))
    return True, thrown, choice


@lean
def even_trick(w):
    """What a trick costs where all cards cost the same."""
    return w[H_TRICK_COST] + w[H_SEATS] * w[W_PRICE]


@lean
def cost_after(w, f, seat, own, rivals):
    """What a seat gets that wins the trick on the table and then leads its winners.

    The cards of its coalition to this trick, ``own``, are in no hand any more, those of the ``rivals`` still are.
    """
    sure = sure_winners(w, seat)
    tricks = 1 + popcount(sure)
    if w[W_PRICES] == 1:
        return tricks * even_trick(w)
    always = w[f + F.TABLE] | own | sure
    tally.put(w, S.TALLY, always, always | w[S.REST] & ~w[S.HANDS + seat])
    total = tricks * w[H_TRICK_COST] + w[f + F.COST] + cost_of(w, own) + cost_of(w, sure)
    for other in range(w[H_SEATS]):
        if other != seat:
            led = sure | bit(w[f + F.LED]) if rivals >> other & 1 else sure
            total += least_played(w, w[S.HANDS + other], led)
    return total
