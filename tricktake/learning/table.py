"""Tables: for each layer of a question the won and played games of every feature vector that was met (OUTER-2 to 4)."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import ArrayLike, NDArray

from tricktake import html
from tricktake._kernels import lookup as kernel
from tricktake._kernels.counting import EMPTY, place
from tricktake.arrays import IntArray
from tricktake.errors import InputError, PluginError
from tricktake.learning import tablefile
from tricktake.learning.counts import Counts
from tricktake.learning.question import Form, Question
from tricktake.learning.rows import RowArray
from tricktake.plugins import manager
from tricktake.settings import names_file

Arrays = tuple[IntArray, IntArray, IntArray, IntArray]

DENSE_KEYS = 1 << 16  # a layer with no more keys than this is found without searching

SHOWN = 20  # buckets in a notebook


@frozen
class Bucket:
    """The answer of a table for a feature vector. layer: the one that answered, "" if none has such a game."""

    layer: str = ""
    won: int = 0
    games: int = 0

    @property
    def probability(self) -> float | None:
        """Won / games (OUTER-3); None without games."""
        return self.won / self.games if self.games else None


@frozen(eq=False)
class LearnedTable:
    """A learned table: the counts of a question.

    form: the layout of its vectors. code: hash of each function it was learned with. layers: counts, the foreground
    first. sources: where the games come from, one entry each (records with their sha256, self-play with its seed, with
    games read, excluded and refused). question: the question with its features, if available.
    """

    form: Form
    code: Mapping[str, str]
    layers: tuple[Counts, ...]
    sources: tuple[Mapping[str, Any], ...] = ()
    question: Question | None = field(default=None, repr=False)

    @property
    def games(self) -> int:
        """Games counted."""
        return self.layers[0].total if self.layers else 0

    @property
    def won(self) -> int:
        """Games won."""
        return int(self.layers[0].won.sum())

    def __eq__(self, other: object) -> bool:
        """Whether both have the same counts of the same question from the same sources."""
        if not isinstance(other, LearnedTable):
            return NotImplemented
        mine = (self.form, dict(self.code), self.layers, sorted_sources(self.sources))
        return mine == (other.form, dict(other.code), other.layers, sorted_sources(other.sources))

    __hash__ = None  # type: ignore[assignment]

    # -- asking ---------------------------------------------------------------------------------------------------

    def look_up(self, vector: ArrayLike) -> Bucket:
        """The counts for a feature vector: of the first layer with enough games, else of the last with any."""
        values = np.asarray(vector, np.int64)
        if values.shape != (len(self.form.features),):
            raise InputError(None, None, "features", f"needs {len(self.form.features)}: {', '.join(self.form.names)}")
        found = np.empty(1, np.int64)
        kernel.entries(self._asked, values.reshape(1, -1), found)
        at = int(found[0])
        if at < 0:
            return Bucket()
        places, _, _, slots = self._asked
        layer = int(np.searchsorted(places[:, kernel.L_FIRST], at, side="right")) - 1
        counts = self.layers[layer]
        bucket = int(np.searchsorted(counts.keys, slots[at, kernel.S_KEY]))
        return Bucket(self.form.layers[layer][0], int(counts.won[bucket]), int(counts.games[bucket]))

    def ask(self, row: RowArray) -> Bucket:
        """The counts of games like this row (``Rows.row``). Raises InputError if the table has no question."""
        return self.look_up(self._own_question.vectors(row)[0])

    def chances(self, rows: RowArray) -> NDArray[np.float64]:
        """The probability for each row, shape (n,), -1.0 if there are no games. Raises InputError as ``ask``."""
        return self.probabilities(self._own_question.vectors(rows))

    def probabilities(self, vectors: ArrayLike) -> NDArray[np.float64]:
        """The probability for each feature vector, shape (n, features); -1.0 if there are no games."""
        values = np.ascontiguousarray(np.asarray(vectors, np.int64).reshape(-1, len(self.form.features)))
        out = np.empty(len(values))
        kernel.probabilities(self._asked, values, out)
        return out

    def arrays(self, confidence: int | None = None) -> Arrays:
        """The table for kernels: ``tricktake._kernels.lookup.probability(arrays, vector)``.

        confidence: with fewer games than this the next layer is asked; by default the question's.
        """
        wanted = self.form.confidence if confidence is None else confidence
        places = np.zeros((len(self.layers), kernel.L_COLUMNS), np.int64)
        parts = []
        first = 0
        for number, counts in enumerate(self.layers):
            capacity = self.form.hash(number).capacity
            dense = capacity <= DENSE_KEYS
            size = capacity if dense else 1 << max(1, (2 * len(counts)).bit_length())
            keys = np.full(size, EMPTY, np.int64)
            order = np.zeros(size, np.int64)
            if dense:
                keys[counts.keys] = counts.keys
                order[counts.keys] = np.arange(len(counts))
            else:
                place(counts.keys, 0, size, keys, order)
            slots = np.zeros((size, kernel.S_COLUMNS), np.int64)
            slots[:, kernel.S_KEY] = keys
            full = keys != EMPTY
            slots[full, kernel.S_COUNTS] = _packed(counts)[order[full]]
            places[number] = (first, size, dense, wanted)
            parts.append(slots)
            first += size
        return places, self.form.weights(), np.array(self.form.domains, np.int64), np.concatenate(parts)

    @functools.cached_property
    def _asked(self) -> Arrays:
        return self.arrays()

    @property
    def _own_question(self) -> Question:
        if self.question is None:
            reason = "this table was loaded without its question; give it: LearnedTable.load(file, question)"
            raise InputError(None, None, "table", reason)
        return self.question

    # -- putting together -----------------------------------------------------------------------------------------

    def scaled(self, weight: float) -> LearnedTable:
        """Every count times ``weight``, rounded to whole games: more or less confidence (OUTER-3).

        Raises InputError unless it is above 0.
        """
        if not weight > 0:
            raise InputError(None, None, "weight", f"must be above 0, not {weight}")
        if weight == 1:
            return self
        sources = tuple({**source, "weight": source.get("weight", 1) * weight} for source in self.sources)
        return evolve(self, layers=tuple(layer.scaled(weight) for layer in self.layers), sources=sources)

    def __iter__(self) -> Iterator[tuple[str, tuple[int, ...], int, int]]:
        """(layer, values, won, games) of every bucket, layer by layer in lexicographic order."""
        for number, (name, _) in enumerate(self.form.layers):
            counts = self.layers[number]
            vectors = self.form.hash(number).unrank(counts.keys).tolist()
            for vector, won, games in zip(vectors, counts.won.tolist(), counts.games.tolist(), strict=True):
                yield name, tuple(vector), won, games

    def _repr_html_(self) -> str:
        rows = [(*row[:1], " ".join(map(str, row[1])), *row[2:]) for row in islice(self, SHOWN)]
        title = f"{self.won:,} won of {self.games:,} games; the first {len(rows)} buckets"
        return html.table(("layer", "values", "won", "games"), rows, title=title, right=("won", "games"))

    # -- files ----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write a table file; equal tables give equal bytes."""
        tablefile.save(self, path)

    @classmethod
    def load(cls, path: str | Path, question: Question | None = None) -> LearnedTable:
        """Read a table file. Raises InputError if it is damaged, or was learned with another form of ``question``."""
        stored = tablefile.load(path)
        table = cls(stored.form, stored.code, stored.layers, stored.sources)
        return table if question is None else bound(table, question, path)


def _packed(counts: Counts) -> IntArray:
    """Won and games packed in one number per bucket; larger counts are scaled down."""
    scale = np.maximum(1.0, counts.games / kernel.GAMES)
    return (counts.won / scale).astype(np.int64) << kernel.GAMES_BITS | (counts.games / scale).astype(np.int64)


def merge(tables: Iterable[LearnedTable]) -> LearnedTable:
    """The games of several tables of one question together; their order does not matter (OUTER-11).

    Raises InputError if they are of different questions or were learned with different features.
    """
    several = list(tables)
    if not several:
        raise InputError(None, None, "tables", "nothing to merge")
    first = several[0]
    for other in several[1:]:
        check_same(first.form, first.code, other.form, other.code, "the tables differ")
    layers = tuple(Counts.summed(table.layers[i] for table in several) for i in range(len(first.layers)))
    sources = sorted_sources(source for table in several for source in table.sources)
    question = next((table.question for table in several if table.question is not None), None)
    form = evolve(first.form, confidence=max(table.form.confidence for table in several))
    return LearnedTable(form, first.code, layers, sources, question)


def shared_sources(tables: Iterable[LearnedTable]) -> tuple[Mapping[str, Any], ...]:
    """The sources whose games are in more than one of the tables, whatever their weight there.

    Files are the same if their contents are, rows files if they were made of the same; arrays of rows have no name.
    """
    seen: set[str] = set()
    shared: list[Mapping[str, Any]] = []
    for table in tables:
        mine = {key: source for source in table.sources for key in _keys(source)}
        shared += [source for key, source in mine.items() if key in seen and source not in shared]
        seen |= mine.keys()
    return tuple(shared)


def _keys(source: Mapping[str, Any]) -> Iterator[str]:
    """What tells the origin of the games of a source from others."""
    if source.get("of"):
        yield from (key for inner in source["of"] for key in _keys(inner))
    elif "sha256" in source:
        yield str(source["sha256"])
    elif source.get("kind") != "rows":
        yield json.dumps({k: v for k, v in source.items() if k != "weight"}, sort_keys=True)


def check_same(
    form: Form, code: Mapping[str, str], other: Form, other_code: Mapping[str, str], what: str, file: Any = None
) -> None:
    """Raise InputError that names the difference, unless both are the same question with the same features."""
    if (form.question, form.version) != (other.question, other.version):
        reason = f"{other.question} version {other.version}, not {form.question} version {form.version}"
        raise InputError(file, None, "question", f"{what}: {reason}")
    for name in ("features", "layers", "packing"):
        if getattr(form, name) != getattr(other, name):
            reason = f"{getattr(other, name)}, not {getattr(form, name)}"
            raise InputError(file, None, "question", f"{what} in {name}: {reason}")
    changed = [name for name in {**code, **other_code} if code.get(name) != other_code.get(name)]
    if changed:
        raise InputError(file, None, "question", f"{what} in the code of {', '.join(changed)}; learn it again")


def bound(table: LearnedTable, question: Question, path: str | Path | None = None) -> LearnedTable:
    """The table with its question. Raises InputError if it was learned with another one, or other features."""
    check_same(question.form, question.code, table.form, table.code, "this table was learned otherwise", path)
    return evolve(table, form=question.form, question=question)


def sorted_sources(sources: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The sources in an order that does not depend on that of the input."""
    return tuple(sorted(sources, key=lambda source: json.dumps(source, sort_keys=True)))


def find_table(name: str | Path, question: Question | None = None) -> LearnedTable:
    """A table by its registered name ``plugin:table``, or from a file (see ``names_file``).

    question: it must have been learned with this one's features. Raises UnknownName, InputError, PluginError.
    """
    if isinstance(name, Path) or names_file(name, tablefile.SUFFIX):
        return LearnedTable.load(name, question)
    registry = manager().tables
    table = registry.get(name)
    if isinstance(table, Path):
        return _loaded(table, question)
    if not isinstance(table, LearnedTable):
        reason = f"table {name!r} is no tricktake.learning.LearnedTable and no path of one"
        raise PluginError(registry.owner(name), reason)
    if question is not None:
        check_same(question.form, question.code, table.form, table.code, f"table {name} was learned otherwise")
    return table


@functools.lru_cache(maxsize=32)
def _loaded(path: Path, question: Question | None) -> LearnedTable:
    return LearnedTable.load(path, question)
