"""JSON from somebody else: read field by field, with an error that says where and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from attrs import frozen

from tricktake.errors import InputError

T = TypeVar("T")

MAX_LINE = 1 << 20  # bytes of one message
MAX_TEXT = 4096  # characters of one text
MAX_ITEMS = 4096  # entries of one list or object
MAX_NUMBER = 1 << 53  # beyond it JSON of other languages is not exact


@frozen
class Node:
    """A piece of JSON and the path that leads to it. Everything that reads it raises InputError with that path.

    Keys nobody asks for are ignored, so that later versions may add some.
    """

    value: Any
    path: str = ""

    def wrong(self, reason: str) -> InputError:
        """The error for this piece."""
        return InputError(None, None, self.path or "message", reason)

    @property
    def null(self) -> bool:
        """Whether nothing is there."""
        return self.value is None

    def get(self, key: str) -> Node:
        """A member of an object; null if there is none."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"must be an object, not {_kind(self.value)}")
        if len(self.value) > MAX_ITEMS:
            raise self.wrong(f"has more than {MAX_ITEMS} members")
        return Node(self.value.get(key), f"{self.path}.{key}" if self.path else key)

    def __getitem__(self, key: str) -> Node:
        """A member of an object that has to be there, but may be null."""
        found = self.get(key)
        if key not in self.value:
            raise found.wrong("is missing")
        return found

    def __iter__(self) -> Iterator[Node]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            raise self.wrong(f"must be a list, not {_kind(self.value)}")
        if len(self.value) > MAX_ITEMS:
            raise self.wrong(f"has more than {MAX_ITEMS} entries")
        return iter([Node(entry, f"{self.path}[{n}]") for n, entry in enumerate(self.value)])

    def members(self) -> dict[str, Node]:
        """The members of an object."""
        self.get("")
        return {key: self.get(key) for key in self.value}

    def several(self, read: Callable[[Node], T], length: int | None = None) -> tuple[T, ...]:
        """The entries of a list as ``read`` reads them; of this ``length`` if one is given."""
        found = tuple(read(entry) for entry in self)
        if length is not None and len(found) != length:
            raise self.wrong(f"has {len(found)} entries, not {length}")
        return found

    def text(self, most: int = MAX_TEXT) -> str:
        """Text of at most so many characters."""
        if not isinstance(self.value, str):
            raise self.wrong(f"must be text, not {_kind(self.value)}")
        if len(self.value) > most:
            raise self.wrong(f"has {len(self.value)} characters, more than {most}")
        if not _encodable(self.value):
            raise self.wrong("is no valid Unicode")
        return self.value

    def word(self, words: Sequence[str]) -> str:
        """One of these words."""
        found = self.text()
        if found not in words:
            raise self.wrong(f"must be one of {', '.join(words)}, not {found!r}")
        return found

    def number(self, least: int = -MAX_NUMBER, most: int = MAX_NUMBER) -> int:
        """A whole number in these bounds, both included."""
        if type(self.value) is not int:
            raise self.wrong(f"must be a whole number, not {_kind(self.value)}")
        if not least <= self.value <= most:
            raise self.wrong(f"must be from {least} to {most}, not {self.value if abs(self.value) < 1e18 else 'that'}")
        return self.value

    def real(self, least: float, most: float) -> float:
        """Any number in these bounds, both included."""
        if type(self.value) not in (int, float):
            raise self.wrong(f"must be a number, not {_kind(self.value)}")
        if not least <= self.value <= most:  # NaN neither
            raise self.wrong(f"must be from {least:g} to {most:g}")
        return float(self.value)

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.wrong(f"must be true or false, not {_kind(self.value)}")
        return self.value


def parse(line: bytes | str, what: str = "message", most: int = MAX_LINE) -> Node:
    """The JSON object of a line. Raises InputError if it is none, or longer than ``most`` bytes."""
    if len(line) > most:
        raise InputError(None, None, what, f"has {len(line)} bytes, more than {most}")
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(None, None, what, f"is no JSON: {str(error)[:80]}") from None
    if not isinstance(value, dict):
        raise InputError(None, None, what, f"must be a JSON object, not {_kind(value)}")
    return Node(value)


def line(message: Any) -> bytes:
    """A message as one line of ASCII with its newline."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: object) -> str:
    """What a value is called in JSON."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
