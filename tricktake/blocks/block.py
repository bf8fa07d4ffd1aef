"""What is cut into blocks, and the name of a block."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from tricktake.blocks import versions
from tricktake.pool import Worker

Key = tuple[int, int]
"""Which part of the work a block is: its first deal (game, record) and how many there are."""


@frozen(eq=False)
class Work:
    """Work that may be cut into blocks.

    name: what is done. seed, facts: all that its results follow from besides the number of the block and the code, as
    JSON. make: the worker that turns a task into a result. encode, decode: a result as bytes, the same for equal
    results. needs: files that workers have to have under the same path. given: what else of a task its result follows
    from, as text, where tasks are not made from the facts.
    """

    name: str
    seed: int
    facts: Mapping[str, Any]
    make: Callable[[], Worker]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    needs: tuple[str, ...] = ()
    given: Callable[[Any], Iterable[str]] | None = None

    def block(self, key: Key, task: Any) -> Block:
        """The block of these deals."""
        config = self.config if self.given is None else _digest([self.config, list(self.given(task))])
        return Block(self.name, self.seed, config, versions.code(), key)

    @cached_property
    def config(self) -> str:
        """A hash of the facts and of the content of the files."""
        return _digest([self.facts, versions.of_files(self.needs)])


@frozen
class Block:
    """A part of some work. config: hash of the facts of the work. code: hash of the sources that do it."""

    work: str
    seed: int
    config: str
    code: str
    key: Key

    @property
    def id(self) -> str:
        """Equal for equal blocks and for no others: 32 hex digits."""
        return _digest([self.work, self.seed, self.config, self.code, *self.key])

    def __str__(self) -> str:
        first, n = self.key
        return f"{self.work} {first} to {first + n - 1} of seed {self.seed}"


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def files_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The files that specs of players name, in any of their options."""
    words = {word.strip("\"' ") for text in texts for word in re.split(r"[(),=]|\s(?=[\"'])", text)}
    return tuple(sorted(word for word in words if word and os.path.isfile(word)))
