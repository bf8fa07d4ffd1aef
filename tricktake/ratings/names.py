"""Names for display: hashed with a key, and titles."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import evolve, frozen

from tricktake.errors import InputError
from tricktake.ratings.results import Series
from tricktake.settings import bytes_of

HASH_DIGITS = 16
MOST_KEY = 1 << 20
KEY_BYTES = 16  # at least: names can be guessed, so the key must not be


@frozen
class Pseudonyms:
    """Names replaced by a keyed hash (HMAC-SHA-256): the same key gives the same player the same pseudonym.

    Raises InputError for a key that is too short.
    """

    key: bytes

    def __attrs_post_init__(self) -> None:
        if len(self.key) < KEY_BYTES:
            raise InputError(None, None, "anonymous", f"the key must have {KEY_BYTES} bytes or more")

    @classmethod
    def from_file(cls, path: Path) -> Pseudonyms:
        """With the contents of a file as key, without a final line end. Raises InputError."""
        try:
            return cls(bytes_of(path, MOST_KEY).rstrip(b"\r\n"))
        except InputError as error:
            raise InputError(path, None, error.field, error.reason) from None

    def __call__(self, name: str) -> str:
        return hmac.new(self.key, name.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()[:HASH_DIGITS]

    @property
    def fingerprint(self) -> str:
        """A hash that identifies the key without revealing it."""
        return self("tricktake ratings")

    def of(self, series: Iterable[Series]) -> Iterable[Series]:
        """The same series under pseudonyms."""
        return (evolve(row, players=tuple(map(self, row.players))) for row in series)


@frozen
class Title:
    """A title for ratings of at least ``least`` (ELO-30)."""

    name: str
    least: float


def read_titles(texts: Sequence[str]) -> tuple[Title, ...]:
    """Titles from ``NAME=RATING``, the highest first. Raises InputError."""
    titles = []
    for text in texts:
        name, equals, least = text.rpartition("=")
        try:
            titles.append(Title(name.strip(), float(least)))
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise InputError(None, None, "title", f"a title looks like Grandmaster=1000, not {text!r}")
    return tuple(sorted(titles, key=lambda title: -title.least))


def title_of(rating: float, titles: Sequence[Title]) -> str:
    """The highest title of a rating, or an empty text."""
    return next((title.name for title in titles if rating >= title.least), "")
