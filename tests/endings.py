"""Random endings of a game as one seat knows them, with random prior knowledge of voids."""

from __future__ import annotations

import random

from tricktake.cards import bits
from tricktake.deal import Layout
from tricktake.knowledge import Knowledge
from tricktake.rules import TrickRules
from tricktake.search.infoset import InfoSet


def ending(
    rules: TrickRules,
    size: int,
    rng: random.Random,
    *,
    seat: int = 0,
    dummy: int = -1,
    aside: tuple[str, int] | None = None,
    seen: bool = False,
    undealt: int = 0,
    voids: float = 0.3,
    taken: int = 0,
    first: bool = False,
) -> InfoSet:
    """An ending with ``size`` cards a hand, perhaps in mid-trick.

    dummy: an open hand, decided for by ``seat`` if it is of its team. aside: an extra place (name, cards), known to
    ``seat`` if ``seen``. undealt: cards that were not dealt. voids: how often a hand is known not to hold a suit it
    does not hold.
    """
    seats = rules.seats
    extra = aside[1] if aside else 0
    cards = rng.sample(range(len(rules.deck)), seats * size + extra + undealt)
    hands = [sum(1 << c for c in cards[s * size : (s + 1) * size]) for s in range(seats)]
    rest = cards[seats * size :]
    put = sum(1 << c for c in rest[:extra])
    layout = Layout(rules.deck, (size,) * seats, (aside,) if aside else ())
    places = [*hands, put] if aside else hands
    known = [mask if s in (seat, dummy) or (s == seats and seen) else 0 for s, mask in enumerate(places)]
    gone = rules.deck.full_mask & ~sum(1 << c for c in cards)
    cannot = {}
    for place, mask in enumerate(places):
        for suit in range(max(rules.suit_of) + 1):
            if not mask & rules.suit_mask(suit) and rng.random() < voids:
                cannot[place] = cannot.get(place, 0) | rules.suit_mask(suit)
    known_to = Knowledge.make(layout, known, [m.bit_count() for m in places], gone, cannot)
    mine = 1 << seat
    if dummy >= 0 and rules.team(dummy) == rules.team(seat):
        mine |= 1 << dummy
    if seen:
        taken += sum(rules.cost_of(put) for name, owner in rules.credits if rules.team(owner) == rules.team(seat))
    info = InfoSet(
        rules, known_to, mine, rules.side_mask(seat), rng.randrange(seats), (), rng.random() < 0.5, first, taken
    )
    for _ in range(rng.randrange(seats)):
        held = hands[info.turn]
        legal = [c for c in bits(info.choices_mask() & held) if is_legal(info, held, c)]
        card = rng.choice(legal)
        hands[info.turn] &= ~(1 << card)
        info = info.after(card)
    return info


def is_legal(info: InfoSet, hand: int, card: int) -> bool:
    """Whether a card may be played from this hand."""
    from tricktake.trick import legal_mask

    return bool(legal_mask(info.rules, hand, info.table, broken=info.broken, first=info.first) >> card & 1)
