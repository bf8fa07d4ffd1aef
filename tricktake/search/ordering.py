"""The weights by which the open-card solver decides what to try first: data, learned by experiment.

A card's score is the sum of its features, each times a weight that depends on the place in the trick. Weights change
how long a search takes, never what it finds. ``ordering.json`` holds those that are shipped and says of each table what
learned it; docs/laboratory.md tells how to learn others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import ArrayLike

from tricktake._kernels.opencard_state import FEATURES, PAIR_ROWS, ROWS, TRICK_FEATURES, TRICK_ROWS
from tricktake.arrays import IntArray
from tricktake.errors import InputError

FILE = Path(__file__).with_name("ordering.json")
FORMAT, VERSION = "tricktake-ordering", 2
SHAPES = {
    "wants": (ROWS, FEATURES),
    "avoids": (ROWS, FEATURES),
    "tricks": (TRICK_ROWS, TRICK_FEATURES),
    "pairs": (PAIR_ROWS, FEATURES),
}
LARGEST = 1 << 20  # of a weight: scores keep far below the bit that marks the card that cut before

# Three rows (by role in the coalition: alone, before an opponent, before a partner) for the lead, three for the second
# seat, three for all others. Of ``pairs`` one each for the lead, the second, the third seat and further ones.
COLUMNS = (
    "outcome of the trick under greedy replies", "own cost", "trump", "others' cards above", "own cards of the suit",
    "nothing above", "own coalition wins the trick so far", "others' cards of the suit",
    "next seat's cards of the suit", "next seat void",
)  # fmt: skip
# Two rows (trick probably lost, won) for the lead, the second seat, further ones, the last.
TRICK_COLUMNS = (
    "always", "others' cards above", "own cards of the suit", "trump", "nothing above",
    "wins the trick so far (lead: a partner has the highest card)",
    "own coalition wins it so far (lead: next seat void)", "others' cards of the suit", "partners' cards of it",
    "partners void", "seat before void", "wins the trick probably",
)  # fmt: skip


def _table(name: str) -> Any:
    def convert(values: ArrayLike) -> IntArray:
        table = np.array(values, np.int64)
        if table.shape != SHAPES[name] or abs(table).max() > LARGEST:
            raise ValueError(f"{name}: {SHAPES[name]} whole numbers up to {LARGEST} are needed")
        table.flags.writeable = False
        return table

    return field(converter=convert)


@frozen(eq=False)
class Ordering:
    """wants: (9, 10), for a side that wants cost where cards differ in it; avoids: (9, 10), for one that avoids it;
    tricks: (8, 12), where tricks are wanted and all cards cost the same; pairs: (4, 10), as ``wants``, for a seat that
    has a partner and sits between two opponents. learned: of each table, what made it.

    Raises ValueError for another shape.
    """

    wants: IntArray = _table("wants")  # noqa: RUF009
    avoids: IntArray = _table("avoids")  # noqa: RUF009
    tricks: IntArray = _table("tricks")  # noqa: RUF009
    pairs: IntArray = _table("pairs")  # noqa: RUF009
    learned: Mapping[str, Mapping[str, Any]] = field(factory=dict)

    @property
    def array(self) -> IntArray:
        """All weights in a row, as kernels take them."""
        return np.concatenate([getattr(self, name).ravel() for name in SHAPES])

    def with_table(self, name: str, table: ArrayLike, learned: Mapping[str, Any] | None = None) -> Ordering:
        """The same with one table of ``SHAPES`` exchanged, and what made it."""
        tables: dict[str, Any] = {name: table}
        return evolve(self, **tables, learned={**self.learned, name: dict(learned or {})})

    @classmethod
    def load(cls, file: str | Path) -> Ordering:
        """Read such a file. Raises InputError."""
        try:
            found = json.loads(Path(file).read_text(encoding="utf-8"))
            if (found["format"], found["version"]) != (FORMAT, VERSION):
                raise InputError(str(file), None, "format", f"is not {FORMAT} of version {VERSION}")
            tables = {name: found[name]["weights"] for name in SHAPES}
            return cls(**tables, learned={name: found[name]["learned"] for name in SHAPES})
        except OSError as error:
            raise InputError(str(file), None, None, error.strerror or str(error)) from error
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(str(file), None, None, f"is no ordering: {error}") from error

    def dumps(self) -> str:
        """The text of such a file."""
        parts = []
        for name in SHAPES:
            rows = ",\n".join(f"   {json.dumps(row)}" for row in getattr(self, name).tolist())
            learned = json.dumps(dict(self.learned.get(name, {})))
            parts.append(f' "{name}": {{\n  "learned": {learned},\n  "weights": [\n{rows}\n  ]\n }}')
        return f'{{\n "format": "{FORMAT}",\n "version": {VERSION},\n' + ",\n".join(parts) + "\n}\n"


@cache
def shipped() -> Ordering:
    """The weights every solver uses unless told otherwise."""
    return Ordering.load(FILE)
