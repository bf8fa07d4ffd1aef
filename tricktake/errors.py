"""Errors a user can make: every message says where and why, and needs no traceback."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable
from pathlib import Path

LONGEST_NAME = 100  # characters of a name that is looked for among the known


class TricktakeError(Exception):
    """An error in the input, not in the program. The command line exits with 2."""


class InputError(TricktakeError, ValueError):
    """A file, setting or record that cannot be read: ``FILE:LINE: field: reason``."""

    def __init__(self, file: str | Path | None, line: int | None, field: str | None, reason: str) -> None:
        super().__init__(file, line, field, reason)
        self.file, self.line, self.field, self.reason = file, line, field, reason

    def at(self, file: str | Path | None, line: int | None, field: str | None) -> None:
        """Say of the same error where it is: cheaper than another one, and a file may be full of them."""
        self.file, self.line, self.field = file, line, field
        self.args = (file, line, field, self.reason)

    def __str__(self) -> str:
        place = str(self.file) if self.file is not None else ""
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        return ": ".join(part for part in (place, self.field, self.reason) if part)


class IllegalAction(TricktakeError, ValueError):
    """An action the rules do not allow here."""


class InvalidCard(TricktakeError, ValueError):
    """A text or a number that does not name a card of the deck."""


class TooManyCards(TricktakeError, ValueError):
    """A deck of more cards than kernels take: its game can be played, seen and known, but not searched."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"a deck of {self.number} cards cannot be searched: kernels hold a set of cards in a word of 64 bits"


class AmbiguousName(TricktakeError, ValueError):
    """A name that could mean several things."""


class PluginError(TricktakeError):
    """A plugin that cannot be loaded, or registers something invalid."""

    def __init__(self, plugin: str, reason: str) -> None:
        super().__init__(plugin, reason)
        self.plugin, self.reason = plugin, reason

    def __str__(self) -> str:
        return f"plugin {self.plugin!r}: {self.reason}"


class DuplicateName(PluginError):
    """Two plugins register the same name; neither takes precedence."""

    def __init__(self, kind: str, name: str, first: str, second: str) -> None:
        super().__init__(second, f"{kind} {name!r} is already registered by plugin {first!r}")
        self.args = (kind, name, first, second)
        self.kind, self.name, self.first = kind, name, first


class UnknownName(TricktakeError, LookupError):
    """A name that is not registered, with the closest known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str] = (), note: str = "") -> None:
        self.kind, self.name, self.known, self.note = kind, name, tuple(known), note
        super().__init__(kind, name, self.known, note)

    def __str__(self) -> str:
        message = f"unknown {self.kind} {self.name!r}"
        if close := did_you_mean(self.name, self.known):
            message += f"; did you mean {close}?"
        elif self.known:
            message += f"; known: {', '.join(sorted(self.known))}"
        return f"{message} ({self.note})" if self.note else message


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The closest known names as text, or nothing if none is close."""
    return _closest(name, tuple(known)) if len(name) <= LONGEST_NAME else ""


@functools.lru_cache(maxsize=256)  # every record of a file may have the same wrong name
def _closest(name: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    return " or ".join(repr(match) for match in close)
