"""Sure points: what a seat takes in every world by leading its standing cards, counted without search (SKAT-34).

The plan is fixed: win the trick on the table, draw trumps from the top, then cash what stands (GAP-6). It is carried
out whatever the others hold and play, so the count is a lower bound on what the side gets.
"""

from __future__ import annotations

from attrs import frozen

from tricktake.cards import bits
from tricktake.knowledge import Knowledge
from tricktake.rules import TrickRules
from tricktake.trick import best_card
from tricktake.view import View


@frozen
class Sure:
    """A card to play now, the cost the side ends with at least, and the tricks that are sure, this one included."""

    card: int
    value: int
    tricks: int


def sure_points(view: View, knowledge: Knowledge) -> list[Sure]:
    """What is sure after each legal card that wins this trick in every world; nothing where the rules make such a
    count impossible: suits need not be followed, leads are limited, rules are rare, or a card or trick costs
    less than nothing.
    """
    rules = view.rules
    if rules is None or not rules.follow or rules.lead_limit or rules.first_lead or rules.rare:
        return []
    if rules.duty is not None and not view.released:
        return []
    if min(rules.card_cost) < 0 or rules.trick_cost < 0 or rules.last_trick_bonus < 0:
        return []
    seat, legal = view.turn, view.legal_cards_mask()
    waiting = [(view.leader + k) % rules.seats for k in range(len(view.table) + 1, rules.seats)]
    out = []
    for card in bits(legal):
        if view.table and not rules.beats(card, best_card(rules, view.table)):
            continue
        if any(rules.beaters_mask(card) & knowledge.may_hold_mask(other) for other in waiting):
            continue
        if not view.table:
            out.append(_plan(view, rules, knowledge, card, knowledge.known[seat], 0))
        else:
            now = rules.cost_of(sum(1 << c for c in view.table)) + rules.card_cost[card] + rules.trick_cost
            out.append(_plan(view, rules, knowledge, card, knowledge.known[seat] & ~(1 << card), now))
    return out


def taken(view: View) -> int:
    """What the side to move has surely been credited with: its tricks, and what it knows of credited places.

    Raises ValueError outside the play of the cards.
    """
    if view.rules is None:
        raise ValueError("there are no tricks yet")
    side = view.rules.side_mask(view.turn)
    cost = sum(view.taken[seat] for seat in bits(side))
    for name, owner in view.rules.credits:
        if side >> owner & 1:
            cost += view.rules.cost_of(view.known[view.layout.names.index(name)])
    return cost


def _plan(view: View, rules: TrickRules, knowledge: Knowledge, first: int, hand: int, now: int) -> Sure:
    """The count for a seat that leads ``hand`` after it has won ``now`` with ``first``; on lead ``first`` is in it."""
    seat = view.turn
    others = [other for other in range(rules.seats) if other != seat]
    outside = 0  # what the others may hold
    for other in others:
        outside |= knowledge.may_hold_mask(other)
    elsewhere = sum(place.size for place in knowledge.hidden if place.index >= rules.seats)
    standing = _standing(rules, hand, outside)
    tricks = standing.bit_count()
    last = tricks == hand.bit_count()
    in_hands = sum(view.sizes[other] for other in others)
    waiting = rules.seats - len(view.table) - 1 if view.table else 0  # cards still to come to the trick on the table
    falling = in_hands if last else waiting + tricks * (rules.seats - 1)
    surely = 0
    for suit in range(max(rules.suit_of) + 1):
        mask = rules.suit_mask(suit)
        leads = (standing & mask).bit_count()
        unseen = (outside & mask & knowledge.unseen).bit_count()
        seen = (outside & mask & ~knowledge.unseen).bit_count()
        drawn = min(leads, seen + max(0, unseen - elsewhere))
        surely |= _cheapest(rules, outside & mask, drawn)
    rest = max(0, falling - surely.bit_count())
    fallen = surely | _cheapest(rules, outside & ~surely, rest)
    value = (
        taken(view) + now + rules.cost_of(standing | fallen) + tricks * rules.trick_cost + last * rules.last_trick_bonus
    )
    return Sure(first, value, tricks + bool(view.table))


def _standing(rules: TrickRules, hand: int, outside: int) -> int:
    """The cards of the hand that win a trick each if they are led from the top, trumps first (GAP-6).

    If c own cards cannot be beaten within their suit and m of it are outside, all own stand if c >= m, else those c.
    Side suits stand only if all trumps are drawn before.
    """
    standing = 0
    suits = [suit for suit in range(max(rules.suit_of) + 1) if suit != rules.trump]
    for suit in suits if rules.trump is None else [rules.trump, *suits]:
        mask = rules.suit_mask(suit)
        own, out = hand & mask, outside & mask
        top = sum(1 << c for c in bits(own) if not rules.beaters_mask(c) & out)
        drawn = top.bit_count() >= out.bit_count()
        standing |= own if drawn else top
        if suit == rules.trump and not drawn:
            break
    return standing


def _cheapest(rules: TrickRules, cards: int, n: int) -> int:
    """The ``n`` cards of least cost."""
    return sum(1 << c for c in sorted(bits(cards), key=lambda c: rules.card_cost[c])[:n])
