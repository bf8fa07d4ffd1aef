"""The missions of The Crew: ``missions.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path

from attrs import frozen

FIRST, THEN, LAST = ">", ">>", "last"
SICK, ONE = "sick", "one"


@frozen
class Mission:
    """order: tokens that lie on the first tasks. silent: the radio tells a card, but not what it is of its colour."""

    tasks: int = 0
    order: tuple[str, ...] = ()
    silent: bool = False
    kind: str = "tasks"


def _load() -> tuple[Mission, ...]:
    stored = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(Mission(**{**entry, "order": tuple(entry.get("order", ()))}) for entry in stored["mission"])


MISSIONS = _load()
