"""Perfect hashes of feature vectors: injective, lexicographic, and within one word (OUTER-6, 7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from tricktake._kernels import hash as kernel
from tricktake.errors import InputError, UnknownName

WORD = 63  # bits: keys are int64 and not negative


@frozen
class Hash:
    """How feature vectors become keys: ``key = sum(value * weight)``, ``value = key // weight % size``.

    domains: values of a feature are 0 to domain - 1. capacity: keys are 0 to capacity - 1.
    """

    domains: tuple[int, ...]
    weights: tuple[int, ...]
    sizes: tuple[int, ...]
    capacity: int

    def rank(self, vectors: ArrayLike) -> NDArray[np.int64]:
        """Keys, shape (n,), of feature vectors, shape (n, features). Raises InputError for values out of range."""
        values = np.atleast_2d(np.asarray(vectors, np.int64))
        if values.shape[1] != len(self.domains):
            raise InputError(None, None, "features", f"{values.shape[1]} given, {len(self.domains)} needed")
        bad = kernel.first_outside(values, np.array(self.domains, np.int64))
        if bad >= 0:
            raise InputError(None, None, "features", f"{values[bad].tolist()} is outside of {list(self.domains)}")
        keys = np.empty(len(values), np.int64)
        kernel.rank(values, np.array(self.weights, np.int64), keys)
        return keys

    def unrank(self, keys: ArrayLike) -> NDArray[np.int64]:
        """The feature vectors, shape (n, features), of keys. Raises InputError for a key without a vector."""
        wanted = np.atleast_1d(np.asarray(keys, np.int64))
        if len(wanted) and (int(wanted.min()) < 0 or int(wanted.max()) >= self.capacity):
            raise InputError(None, None, "key", f"keys are 0 to {self.capacity - 1}")
        values = np.empty((len(wanted), len(self.domains)), np.int64)
        kernel.unrank(wanted, np.array(self.weights, np.int64), np.array(self.sizes, np.int64), values)
        if kernel.first_outside(values, np.array(self.domains, np.int64)) >= 0:
            raise InputError(None, None, "key", "no feature vector has it")
        return values


def mixed_radix(domains: Sequence[int], names: Sequence[str] = ()) -> Hash:
    """The minimal hash: ``h = h * domain + value``, so that every key belongs to a vector.

    Raises InputError naming the widest features if they do not fit a word.
    """
    capacity = math.prod(domains)
    if capacity >= 1 << WORD:
        raise _too_wide(domains, names, math.log2(capacity))
    weights = [math.prod(domains[i + 1 :]) for i in range(len(domains))]
    return Hash(tuple(domains), tuple(weights), tuple(domains), capacity)


def bit_packed(domains: Sequence[int], names: Sequence[str] = ()) -> Hash:
    """The hash of the paper: each feature has the bits it needs, at least one (OUTER-7, without its misprints).

    Raises InputError naming the widest features if they do not fit a word.
    """
    lengths = [max(1, (domain - 1).bit_length()) for domain in domains]
    if sum(lengths) > WORD:
        raise _too_wide(domains, names, sum(lengths))
    shifts = [sum(lengths[i + 1 :]) for i in range(len(lengths))]
    weights, sizes = tuple(1 << s for s in shifts), tuple(1 << n for n in lengths)
    return Hash(tuple(domains), weights, sizes, 1 << sum(lengths))


PACKINGS: dict[str, Callable[..., Hash]] = {"mixed-radix": mixed_radix, "bit-packed": bit_packed}


def _too_wide(domains: Sequence[int], names: Sequence[str], bits: float) -> InputError:
    labels = names or [f"feature {i}" for i in range(1, len(domains) + 1)]
    widest = sorted(zip(domains, labels, strict=True), key=lambda pair: -pair[0])[:3]
    text = ", ".join(f"{label} ({domain})" for domain, label in widest)
    return InputError(None, None, "features", f"need {math.ceil(bits)} bits, a key has {WORD}; the widest: {text}")


def packing(name: str) -> Callable[..., Any]:
    """``mixed_radix`` or ``bit_packed`` by name. Raises UnknownName."""
    if name not in PACKINGS:
        raise UnknownName("packing", name, PACKINGS)
    return PACKINGS[name]
