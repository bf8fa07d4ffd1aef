"""The slow twin of value networks: inputs by names of cards, sums in Python's whole numbers."""

from __future__ import annotations

import math

from tricktake_skat._kernels import value as kernel

STEPS = (18, 20, 23, 30, 36, 48, 60)
JACK = 7


def level(bid: int) -> int:
    return sum(bid >= step for step in STEPS)


def inputs(choice: int, own: int, put: int, by_hand: bool, seat: int, bids: tuple[int, ...]) -> set[int]:
    """The inputs that are set, as ``_kernels.value`` names them."""
    null = choice > 4
    held = {divmod(c, 8) for c in range(32) if own >> c & 1}
    away = set() if by_hand else {divmod(c, 8) for c in range(32) if put >> c & 1}
    found = {kernel.SEAT + seat}
    in_suit = lambda cards, suit: sorted(r for s, r in cards if s == suit and (null or r != JACK))  # noqa: E731
    strength = {s: sum(1 << r for r in in_suit(held | away, s)) for s in range(4)}
    order = sorted(range(4), key=lambda s: (s != choice, -len(in_suit(held | away, s)), -strength[s], s))
    for slot, suit in enumerate(order):
        found |= {kernel.OWN + 8 * slot + r for r in in_suit(held, suit)}
        found |= {kernel.PUT + 8 * slot + r for r in in_suit(away, suit)}
        length = len(in_suit(held, suit))
        if suit == choice:
            length += sum(r == JACK for _, r in held)
        found.add(kernel.LENGTHS + 12 * slot + length)
    if not null:
        found.add(kernel.JACKS + sum(1 << s for s in range(4) if (s, JACK) in held))
        found |= {kernel.JACKS_PUT + s for s, r in away if r == JACK}
    for k in (1, 2):
        found.add(kernel.HEARD + (k - 1) * kernel.LEVELS + level(bids[(seat + k) % 3]))
    return found | ({kernel.BY_HAND} if by_hand else set())


def chances(net, seen: set[int]) -> tuple[float, float]:
    """Of winning and of Schneider, by whole numbers."""
    top = 1023

    def clipped(x: float) -> int:
        return min(top, max(0, int(x)))

    hidden = [clipped(sum(int(net.first[i, k]) for i in seen)) for k in range(net.first.shape[1])]
    inner = []
    for k in range(net.second.shape[1]):
        total = sum(h * int(w) for h, w in zip(hidden, net.second[:-1, k], strict=True)) + int(net.second[-1, k])
        inner.append(clipped(math.floor(total / net.units[0])))
    logits = [
        (sum(x * int(w) for x, w in zip(inner, net.third[:-1, k], strict=True)) + int(net.third[-1, k]))
        / (net.units[1] * 256)
        for k in range(2)
    ]
    won, high = (1 / (1 + math.exp(-x)) for x in logits)
    return won, high
