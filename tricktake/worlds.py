"""The worlds that fit what a seat knows: counted exactly, drawn without rejection, listed, and their probabilities.

A *world* says where every unseen card lies. It is given as the full mask of every place of the layout (seats, then
extra places), int64, ready for ``View.state``. All worlds that fit hard knowledge are taken as equally likely unless
``Soft`` knowledge weighs them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import worlds as kernel
from tricktake.cards import bits, signed
from tricktake.errors import TricktakeError
from tricktake.knowledge import Knowledge, Soft

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

EXACT = 1 << 62  # counts below this are exact in int64
LIST_CAP = 1_000_000  # worlds ``enumerate`` lists unless told otherwise: 8 MB a place
BATCH = 1 << 14  # worlds drawn at once from float64 weights; bounds the memory for random numbers


class NoWorld(TricktakeError):
    """The knowledge contradicts itself: no world fits."""


class TooManyWorlds(TricktakeError):
    """More worlds than the caller allowed."""


@frozen(eq=False)
class _Problem:
    """Knowledge as the kernels take it."""

    weights: NDArray
    sizes: IntArray
    strides: IntArray
    table: NDArray
    cards: IntArray
    columns: IntArray
    base: IntArray
    order: tuple[int, ...]


def count(k: Knowledge) -> int:
    """How many worlds fit, exactly.

    Skat at the start of trick n+1, no voids known: C(20-2n, 10-n) for a declarer who knows the skat (SPEC 2.8).
    """
    if _open_count(k) < EXACT:
        return int(_problem(k, _allowed(k), np.int64).table[0, -1])
    return count_by_groups(k)


def count_by_groups(k: Knowledge) -> int:
    """The same for any number of worlds, in Python's integers: dynamic programming over the groups of cards that may
    lie in the same places, and how many of a group lie in each.
    """
    ways = {tuple(place.size for place in k.hidden): 1}
    for allowed, cards in sorted(k.groups().items(), key=lambda item: item[0].bit_count()):
        after: dict[tuple[int, ...], int] = {}
        places = list(bits(allowed))
        for left, number in ways.items():
            for split, combinations in _splits(cards.bit_count(), places, left):
                after[split] = after.get(split, 0) + number * combinations
        ways = after
    return sum(ways.values())


def _splits(cards: int, places: list[int], left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way to share a number of cards among places: what they take afterwards, and how many choices of cards."""
    if not places:
        if not cards:
            yield left, 1
        return
    first, others = places[0], places[1:]
    room = sum(left[p] for p in others)
    for here in range(max(0, cards - room), min(cards, left[first]) + 1):
        rest = (*left[:first], left[first] - here, *left[first + 1 :])
        for split, combinations in _splits(cards - here, others, rest):
            yield split, combinations * math.comb(cards, here)


def sample(k: Knowledge, n: int, rng: np.random.Generator) -> IntArray:
    """``n`` worlds, independent and uniform: shape (n, places of the layout). None is ever rejected.

    A uniform number below ``count`` is unranked, which is exact; from 2^62 worlds on, cards are placed one by one
    with float64 probabilities (relative error below 1e-13).

    Raises NoWorld if nothing fits.
    """
    p = _numbered(k)
    if p is None:
        return _draw(_weighted(k, ()), n, rng)
    return _unrank(p, rng.integers(0, p.table[0, -1], n))


def sample_weighted(k: Knowledge, softs: Sequence[Soft], n: int, rng: np.random.Generator) -> IntArray:
    """``n`` independent worlds, each with probability proportional to its weight: the product over all soft knowledge
    and unseen cards of the weight of the card where it lies. Shape (n, places of the layout).

    Drawn card by card from the exact conditional probabilities, not by importance weights; so all worlds count alike.

    Raises NoWorld if nothing fits or every world that fits has weight 0.
    """
    if not softs:
        return sample(k, n, rng)
    return _draw(_weighted(k, softs), n, rng)


def enumerate(k: Knowledge, cap: int = LIST_CAP) -> IntArray:  # noqa: A001
    """Every world, once: shape (count, places of the layout), in the order of ``rank``.

    Raises TooManyWorlds above ``cap`` worlds. Knowledge that fits no world gives an empty array.
    """
    total = count(k)
    if total > cap:
        raise TooManyWorlds(f"{total:,} worlds fit, more than the {cap:,} allowed")
    if not total:
        return np.zeros((0, len(k.layout.sizes)), np.int64)
    return unrank(k, np.arange(total, dtype=np.int64))


def unrank(k: Knowledge, ranks: IntArray) -> IntArray:
    """The worlds with these numbers, in [0, count): shape (len(ranks), places of the layout).

    Raises NoWorld if nothing fits, TooManyWorlds from 2^62 worlds on, ValueError for other numbers.
    """
    p = _few(k)
    ranks = np.ascontiguousarray(ranks, np.int64)
    if ranks.size and (ranks.min() < 0 or ranks.max() >= p.table[0, -1]):
        raise ValueError(f"worlds are numbered 0 to {p.table[0, -1] - 1}")
    return _unrank(p, ranks)


def rank(k: Knowledge, worlds: IntArray) -> IntArray:
    """The numbers of worlds, as ``unrank`` takes them. Raises as it does, ValueError for a world that does not fit."""
    p = _few(k)
    full = (1 << 64) - 1
    for world in worlds:
        if not k.contains(int(mask) & full for mask in world):
            raise ValueError("a world does not fit the knowledge")
    undealt = ~np.bitwise_or.reduce(worlds, axis=1) & signed(k.unseen)
    ranks = np.zeros(len(worlds), np.int64)
    columns = np.column_stack([worlds, undealt]).astype(np.int64)
    kernel.rank_of(p.weights, p.sizes, p.strides, p.table, p.cards, p.columns, columns, ranks)
    return ranks


def marginals(k: Knowledge, softs: Sequence[Soft] = ()) -> FloatArray:
    """The probability of each card in each place: shape (places + 1, cards of the deck).

    Places are those of the layout, the last row is the cards that were not dealt. Known cards have 1, played ones 0.

    Raises NoWorld if nothing fits.
    """
    p = _weighted(k, softs)
    out = np.zeros((len(k.layout.sizes) + 1, len(k.layout.deck)))
    for place, mask in zip(range(len(k.known)), k.known, strict=True):
        out[place, list(bits(mask))] = 1
    if p.order:
        found = np.zeros(p.weights.shape)
        kernel.shares(p.weights, p.sizes, p.strides, p.table, np.zeros_like(p.table), found)
        out[np.ix_(p.columns, np.array(p.order))] = found.T
    return out


# -- for the kernels ----------------------------------------------------------------------------------------------


def _open_count(k: Knowledge) -> int:
    """How many worlds there would be if every card could lie everywhere: a bound."""
    total, left = 1, k.unseen.bit_count()
    for place in k.hidden:
        total *= math.comb(left, place.size)
        left -= place.size
    return total


def _numbered(k: Knowledge) -> _Problem | None:
    """The problem with an exact table; None if there are too many worlds for that. Raises NoWorld."""
    if _open_count(k) >= EXACT and count_by_groups(k) >= EXACT:
        return None
    problem = _problem(k, _allowed(k), np.int64)
    if not problem.table[0, -1]:
        raise NoWorld("no world fits what is known")
    return problem


def _few(k: Knowledge) -> _Problem:
    problem = _numbered(k)
    if problem is None:
        raise TooManyWorlds(f"{count_by_groups(k):,} worlds cannot be numbered in 62 bits")
    return problem


def _weighted(k: Knowledge, softs: Sequence[Soft]) -> _Problem:
    """The problem with soft weights, scaled card by card so that no product leaves the range of float64."""
    rows = _allowed(k)
    for soft in softs:
        for card, row in rows.items():
            row[:] = [w * soft.weights[place.index][card] for w, place in zip(row, k.hidden, strict=True)]
            largest = max(row) or 1
            row[:] = [w / largest for w in row]
    problem = _problem(k, rows, np.float64)
    if not problem.table[0, -1] > 0:
        if softs and k.feasible():
            names = ", ".join(soft.source for soft in softs)
            raise NoWorld(f"every world that fits is ruled out softly by: {names}")
        raise NoWorld("no world fits what is known")
    return problem


def _allowed(k: Knowledge) -> dict[int, list[float]]:
    """For each unseen card, 1 for every hidden place where it may lie and 0 for others; most bound cards first."""
    groups = sorted(k.groups().items(), key=lambda item: (item[0].bit_count(), item[0]))
    places = range(len(k.hidden))
    return {card: [allowed >> j & 1 for j in places] for allowed, cards in groups for card in bits(cards)}


def _problem(k: Knowledge, rows: dict[int, list[float]], dtype: type) -> _Problem:
    # The largest place comes last, as it needs no digit in the state.
    places = sorted(range(len(k.hidden)), key=lambda j: k.hidden[j].size)
    sizes = [k.hidden[j].size for j in places]
    strides, states = [0] * len(places), 1
    for j, size in list(zip(range(len(places)), sizes, strict=True))[:-1]:
        strides[j] = states
        states *= size + 1
    problem = _Problem(
        weights=np.array([[row[j] for j in places] for row in rows.values()], dtype).reshape(len(rows), len(places)),
        sizes=np.array(sizes, np.int64),
        strides=np.array(strides, np.int64),
        table=np.zeros((len(rows) + 1, states), dtype),
        cards=np.array([signed(1 << c) for c in rows], np.int64),
        columns=np.array([k.hidden[j].index for j in places], np.int64),
        base=np.array([*(signed(mask) for mask in k.known), 0], np.int64),
        order=tuple(rows),
    )
    kernel.fill(problem.weights, problem.sizes, problem.strides, problem.table)
    return problem


def _unrank(p: _Problem, ranks: IntArray) -> IntArray:
    out = np.repeat(p.base[None, :], len(ranks), axis=0)
    kernel.by_rank(p.weights, p.sizes, p.strides, p.table, ranks, p.cards, p.columns, out)
    return out[:, :-1].copy()


def _draw(p: _Problem, n: int, rng: np.random.Generator) -> IntArray:
    out = np.repeat(p.base[None, :], n, axis=0)
    for start in range(0, n, BATCH):
        part = out[start : start + BATCH]
        chances = rng.random((len(part), len(p.order)))
        kernel.by_chance(p.weights, p.sizes, p.strides, p.table, chances, p.cards, p.columns, part)
    return out[:, :-1].copy()
