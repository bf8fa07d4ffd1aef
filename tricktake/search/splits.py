"""How the cards of each suit split among the hidden places, and which splits are unlikely enough to be left out
(KBPS-14).

All worlds that fit the knowledge count alike. A *cap* is the most cards of a play suit a hand is taken to hold; the
mass that caps leave out is computed exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from attrs import frozen

from tricktake.cards import bits
from tricktake.knowledge import Knowledge
from tricktake.rules import TrickRules

Ways = dict[tuple[int, ...], int]  # cards in each hidden place -> in how many ways


@frozen
class Caps:
    """most: (hidden place, play suit) -> most cards, where that says anything. excluded: probability left out."""

    most: Mapping[tuple[int, int], int]
    excluded: float


def unlikely(knowledge: Knowledge, rules: TrickRules, epsilon: float) -> Caps:
    """Caps for every hidden hand and suit: the most cards that are still held, or more, with probability epsilon.

    Nothing is capped if that left no world. Raises ValueError unless 0 <= epsilon < 1.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(f"a probability to leave out must be at least 0 and below 1, not {epsilon}")
    suits = sorted({rules.suit_of[card] for card in bits(knowledge.unseen)})
    ways = [_ways(knowledge, rules.suit_mask(suit)) for suit in suits]
    rooms = tuple(place.size for place in knowledge.hidden)
    total = _joined(ways, rooms).get(rooms, 0)
    most: dict[tuple[int, int], int] = {}
    for n, suit in enumerate(suits):
        others = _joined(ways[:n] + ways[n + 1 :], rooms)
        for i, place in enumerate(knowledge.hidden):
            if place.index >= rules.seats:
                continue
            counts: dict[int, int] = {}
            for split, number in ways[n].items():
                rest = others.get(tuple(room - held for room, held in zip(rooms, split, strict=True)), 0)
                if rest:
                    counts[split[i]] = counts.get(split[i], 0) + number * rest
            cap, tail = max(counts, default=0), 0
            while counts and cap > min(counts) and tail + counts.get(cap, 0) < epsilon * total:
                tail += counts.get(cap, 0)
                cap -= 1
            if tail:
                most[i, suit] = cap
    kept = [
        {split: number for split, number in way.items() if all(h <= most.get((i, s), h) for i, h in enumerate(split))}
        for s, way in zip(suits, ways, strict=True)
    ]
    left = _joined(kept, rooms).get(rooms, 0)
    return Caps(most, 1 - left / total) if left else Caps({}, 0.0)


def _ways(knowledge: Knowledge, suit: int) -> Ways:
    """In how many ways the unseen cards of a suit can be split."""
    ways: Ways = {(0,) * len(knowledge.hidden): 1}
    for allowed, cards in knowledge.groups().items():
        n = (cards & suit).bit_count()
        if not n:
            continue
        splits = [(held, _multinomial(held)) for held in _splits(n, allowed, len(knowledge.hidden))]
        after: Ways = {}
        for before, number in ways.items():
            for held, choices in splits:
                key = tuple(a + b for a, b in zip(before, held, strict=True))
                if all(k <= place.size for k, place in zip(key, knowledge.hidden, strict=True)):
                    after[key] = after.get(key, 0) + number * choices
        ways = after
    return ways


def _splits(n: int, allowed: int, places: int) -> list[tuple[int, ...]]:
    ranges = [range(n + 1) if allowed >> i & 1 else range(1) for i in range(places)]
    return [held for held in itertools.product(*ranges) if sum(held) == n]


def _multinomial(held: tuple[int, ...]) -> int:
    return math.factorial(sum(held)) // math.prod(map(math.factorial, held))


def _joined(ways: list[Ways], rooms: tuple[int, ...]) -> Ways:
    """The ways of several suits together."""
    total: Ways = {(0,) * len(rooms): 1}
    for way in ways:
        after: Ways = {}
        for before, number in total.items():
            for held, choices in way.items():
                key = tuple(a + b for a, b in zip(before, held, strict=True))
                if all(k <= room for k, room in zip(key, rooms, strict=True)):
                    after[key] = after.get(key, 0) + number * choices
        total = after
    return total
