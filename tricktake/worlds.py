"""The worlds that fit what a seat knows: counted exactly, drawn without rejection, listed and numbered.

A *world* says where every unseen card lies. It is given as the full mask of every place of the layout (seats, then
extra places), int64, ready for ``View.state``. All worlds that fit are taken as equally likely; a ``Belief`` weighs
them. Of decks of more than 64 cards the masks are Python's numbers, in arrays of objects: the kernels, to which cards
are but columns of a table, are then asked once for each word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import worlds as kernel
from tricktake.arrays import IntArray
from tricktake.cards import WORD, bits, signed
from tricktake.errors import TooManyCards, TricktakeError
from tricktake.knowledge import Knowledge

EXACT = 1 << 62  # counts below this are exact in int64
MODULUS = 1 << 58  # remainders for up to 32 places add up within int64
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

    def worlds(self, n: int, place: Callable[[IntArray, IntArray], None]) -> NDArray:
        """``n`` worlds, shape (n, places). place: puts the words of cards (its first argument) into rows of places."""
        parts = []
        for cards, base in zip(self.cards, self.base, strict=True):
            out = np.repeat(base[None, :], n, axis=0)
            place(cards, out)
            parts.append(out[:, :-1].copy())
        if len(parts) == 1:
            return parts[0]
        low, high = (part.astype(np.uint64).astype(object) for part in parts)
        return low | high << WORD


def count(k: Knowledge) -> int:
    """How many worlds fit, exactly: dynamic programming over the cards and how many of them each place still takes.

    Counts of more than 62 bits come from their remainders by several moduli (Chinese remainder theorem).
    Skat at the start of trick n+1, no voids known: C(20-2n, 10-n) for a declarer who knows the skat (GAP-8).
    """
    if k.conditions:
        return sum(count(case) for case in k.cases())
    bound = _open_count(k)
    if bound < EXACT:
        return int(_problem(k, _allowed(k), np.int64).table[0, -1])
    total, modulus = 0, 1
    candidate = MODULUS
    while modulus <= bound:
        if math.gcd(candidate, modulus) == 1:
            remainder = int(_problem(k, _allowed(k), np.int64, candidate).table[0, -1])
            total += modulus * ((remainder - total) * pow(modulus, -1, candidate) % candidate)
            modulus *= candidate
        candidate -= 1
    return total


def sample(k: Knowledge, n: int, rng: np.random.Generator) -> IntArray:
    """``n`` worlds, independent and uniform: shape (n, places of the layout). None is ever rejected.

    A uniform number below ``count`` is unranked, which is exact; above 2^61 worlds, cards are placed one by one
    with float64 probabilities (relative error below 1e-13).

    Raises NoWorld if nothing fits.
    """
    if k.conditions:
        return _from_cases(k, n, rng)
    p = _numbered(k)
    if p is None:
        return _draw(_problem(k, _allowed(k), np.float64), n, rng)
    return _unrank(p, rng.integers(0, p.table[0, -1], n))


def enumerate(k: Knowledge, cap: int = LIST_CAP) -> IntArray:  # noqa: A001
    """Every world, once: shape (count, places of the layout), in the order of ``rank``, under conditions case by case.

    Raises TooManyWorlds above ``cap`` worlds. Knowledge that fits no world gives an empty array.
    """
    total = count(k)
    if total > cap:
        raise TooManyWorlds(f"{total:,} worlds fit, more than the {cap:,} allowed")
    if not total:
        return np.zeros((0, len(k.layout.sizes)), np.int64)
    if k.conditions:
        return np.concatenate([enumerate(case, cap) for case in k.cases()])
    return unrank(k, np.arange(total, dtype=np.int64))


def unrank(k: Knowledge, ranks: IntArray) -> IntArray:
    """The worlds with these numbers, in [0, count): shape (len(ranks), places of the layout).

    Raises NoWorld if nothing fits, TooManyWorlds above 2^61 worlds, ValueError for other numbers and under conditions.
    """
    p = _few(k)
    ranks = np.ascontiguousarray(ranks, np.int64)
    if ranks.size and (ranks.min() < 0 or ranks.max() >= p.table[0, -1]):
        raise ValueError(f"worlds are numbered 0 to {p.table[0, -1] - 1}")
    return _unrank(p, ranks)


def rank(k: Knowledge, worlds: IntArray) -> IntArray:
    """The numbers of worlds, as ``unrank`` takes them. Raises as it does, ValueError for a world that does not fit,
    TooManyCards beyond 64 cards.
    """
    if len(k.layout.deck) > WORD:
        raise TooManyCards(len(k.layout.deck))
    p = _few(k)
    for world in worlds:
        if not k.contains(world):
            raise ValueError("a world does not fit the knowledge")
    undealt = ~np.bitwise_or.reduce(worlds, axis=1) & signed(k.unseen)
    ranks = np.zeros(len(worlds), np.int64)
    columns = np.column_stack([worlds, undealt]).astype(np.int64)
    kernel.rank_of(p.weights, p.sizes, p.strides, p.table, p.cards[0], p.columns, columns, ranks)
    return ranks


def _from_cases(k: Knowledge, n: int, rng: np.random.Generator) -> IntArray:
    """Worlds under conditions: from each case as many as its share of all worlds says, in random order."""
    cases = [(case, count(case)) for case in k.cases()]
    total = sum(number for _, number in cases)
    if not total:
        raise NoWorld("no world fits what is known")
    numbers = rng.multinomial(n, [number / total for _, number in cases]).tolist()
    parts = [sample(case, m, rng) for (case, _), m in zip(cases, numbers, strict=True) if m]
    return rng.permutation(np.concatenate([np.zeros((0, len(k.layout.sizes)), np.int64), *parts]))


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
    if _open_count(k) >= EXACT and _problem(k, _allowed(k), np.float64).table[0, -1] > EXACT / 2:
        return None
    problem = _problem(k, _allowed(k), np.int64)
    if not problem.table[0, -1]:
        raise NoWorld("no world fits what is known")
    return problem


def _few(k: Knowledge) -> _Problem:
    if k.conditions:
        raise ValueError("worlds under conditions are not numbered")
    problem = _numbered(k)
    if problem is None:
        raise TooManyWorlds(f"{count(k):,} worlds cannot be numbered in 61 bits")
    return problem


def _allowed(k: Knowledge) -> dict[int, list[float]]:
    """For each unseen card, 1 for every hidden place where it may lie and 0 for others; most bound cards first."""
    groups = sorted(k.groups().items(), key=lambda item: (item[0].bit_count(), item[0]))
    places = range(len(k.hidden))
    return {card: [allowed >> j & 1 for j in places] for allowed, cards in groups for card in bits(cards)}


def _problem(k: Knowledge, rows: dict[int, list[float]], dtype: type, modulus: int = 0) -> _Problem:
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
        cards=_words(k, [1 << c for c in rows]),
        columns=np.array([k.hidden[j].index for j in places], np.int64),
        base=_words(k, [*k.known, 0]),
        order=tuple(rows),
    )
    kernel.fill(problem.weights, problem.sizes, problem.strides, modulus, problem.table)
    return problem


def _unrank(p: _Problem, ranks: IntArray) -> IntArray:
    def place(cards: IntArray, out: IntArray) -> None:
        kernel.by_rank(p.weights, p.sizes, p.strides, p.table, ranks, cards, p.columns, out)

    return p.worlds(len(ranks), place)


def _draw(p: _Problem, n: int, rng: np.random.Generator) -> IntArray:
    state = rng.bit_generator.state

    def place(cards: IntArray, out: IntArray) -> None:
        rng.bit_generator.state = state  # the same places for every word
        for start in range(0, n, BATCH):
            part = out[start : start + BATCH]
            chances = rng.random((len(part), len(p.order)))
            kernel.by_chance(p.weights, p.sizes, p.strides, p.table, chances, cards, p.columns, part)

    return p.worlds(n, place)


def _words(k: Knowledge, masks: Sequence[int]) -> IntArray:
    """Masks word by word: shape (words of a set of the deck, masks)."""
    words = -(-len(k.layout.deck) // WORD)
    low = (1 << WORD) - 1
    return np.array([[signed(mask >> WORD * word & low) for mask in masks] for word in range(words)], np.int64)
