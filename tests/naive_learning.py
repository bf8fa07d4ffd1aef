"""Slow and obvious twins of learning: tuples and dictionaries instead of keys and arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Vector = tuple[int, ...]
Counts = dict[Vector, list[int]]  # won, games


def naive_bit_rank(vector: Sequence[int], domains: Sequence[int]) -> int:
    """OUTER-7 as it is written: shift by the length of the next feature, then add it."""
    lengths = [max(1, len(bin(domain - 1)) - 2) for domain in domains]
    key = vector[0]
    for value, length in zip(vector[1:], lengths[1:], strict=True):
        key = (key << length) + value
    return key


def naive_bit_unrank(key: int, domains: Sequence[int]) -> Vector:
    """OUTER-7: from the right, a mask of each feature's length."""
    out = []
    for domain in reversed(domains):
        length = max(1, len(bin(domain - 1)) - 2)
        out.append(key & (2**length - 1))
        key >>= length
    return tuple(reversed(out))


def naive_radix_rank(vector: Sequence[int], domains: Sequence[int]) -> int:
    """``h = h * |D| + f``."""
    key = 0
    for value, domain in zip(vector, domains, strict=True):
        key = key * domain + value
    return key


def naive_learn(games: Iterable[Any], features: Sequence[Any], excluded: Any, won: Any) -> Counts:
    """One layer, game by game (the corrected procedure of OUTER-8)."""
    table: Counts = {}
    for game in games:
        if excluded(game):
            continue
        counts = table.setdefault(tuple(int(f(game)) for f in features), [0, 0])
        counts[0] += bool(won(game))
        counts[1] += 1
    return table


def naive_look_up(
    layers: Sequence[tuple[Sequence[int], Counts]], vector: Vector, confidence: int
) -> tuple[int, list[int]] | None:
    """Number and counts of the layer that answers; layers are (columns, counts)."""
    best = None
    for number, (columns, counts) in enumerate(layers):
        found = counts.get(tuple(vector[c] for c in columns))
        if found is not None:
            best = number, found
            if found[1] >= confidence:
                break
    return best


def naive_merge(tables: Iterable[Mapping[Vector, Sequence[int]]]) -> Counts:
    out: Counts = {}
    for table in tables:
        for vector, (won, games) in table.items():
            counts = out.setdefault(vector, [0, 0])
            counts[0] += won
            counts[1] += games
    return out


def naive_glem(
    link: str,
    constant: float,
    features: Sequence[tuple[float, Mapping[Vector, float], Sequence[Vector]]],
) -> float:
    """KERMIT-1 for one position: of each feature its weight, its table by indices, and the indices it looks up."""
    score = constant
    for weight, table, looked_up in features:
        score += weight * sum(table[indices] for indices in looked_up)
    return score if link == "linear" else 1 / (1 + math.exp(-score))


def naive_mean(games: Sequence[tuple[Vector, float]], cell: Vector, background: float, kappa: float) -> float:
    """The mean outcome of a cell if ``kappa`` more games had ended as the background says."""
    met = [outcome for indices, outcome in games if indices == cell]
    return (sum(met) + kappa * background) / (len(met) + kappa)
