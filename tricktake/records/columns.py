"""Game records as Parquet: a row a game, one game (with its options) a file, or a folder of such files.

The columns are ``id``, ``board``, ``players``, ``deal`` and ``played`` (the cards of each place), ``contract``,
``before`` (the actions before the tricks), ``cards`` and ``seats`` (what was played, and who played it), ``said`` (what
else was said during the play), ``result``, ``notes`` and ``rest``; docs/columns.md describes them. Game, deck and
version stand in the metadata. What no column can hold (a claim of another type than those of the first row group, a
name that is no UTF-8) stands as JSON in ``rest``, so that every record is read back as it was.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from attrs import define, field

from tricktake import parquet
from tricktake.action import Action, Event, play
from tricktake.cards import Deck, bits
from tricktake.deal import Deal, Layout
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format, OnError, attempted, get_game
from tricktake.records.jsonl import read_event
from tricktake.records.lines import Line, LineReader
from tricktake.records.record import GameRecord

FORMAT_NAME = "tricktake-games"
VERSION = 1
AT_ONCE = 1 << 10  # rows turned into Python objects at a time
MOST_CLAIMS = 60  # columns of a result; further claims stand in ``rest``
LONGEST = 1 << 20  # characters of a text in a column, as of a line

Row = dict[str, Any]


def schema(layout: Layout, claims: Mapping[str, Any]) -> Any:
    """The columns for games of this layout; claims: the types of what results say. Raises InputError."""
    pa, _ = parquet.arrow()
    text = pa.string()
    size = len(layout.deck)
    cards = pa.list_(pa.uint8()) if size > 64 else pa.uint64() if size > 32 else pa.uint32()
    places = pa.struct([pa.field(name, cards) for name in place_names(layout)])
    said = pa.struct([("at", pa.int32()), ("seat", pa.uint8()), ("action", text)])
    fields = [
        ("id", text),
        ("board", pa.int64()),
        ("players", pa.list_(text)),
        ("deal", places),
        ("before", pa.list_(text)),
        ("contract", text),
        ("played", places),
        ("cards", pa.list_(pa.uint8())),
        ("seats", pa.list_(pa.uint8())),
        ("said", pa.list_(said)),
        *([("result", pa.struct(list(claims.items())))] if claims else []),
        ("notes", text),
        ("rest", text),
    ]
    return pa.schema(fields)


def place_names(layout: Layout) -> list[str]:
    """``seat0``, ``seat1`` ..., and the other places by their names."""
    return [f"seat{name}" if i < layout.seats else name for i, name in enumerate(layout.names)]


# -- writing ----------------------------------------------------------------------------------------------------------


def row_of(record: GameRecord) -> Row:
    """The values of the columns; ``result`` is whole. Raises InputError for an action that has no text."""
    deck = record.deal.layout.deck
    rest: Row = {}
    row: Row = {"board": record.board, "contract": None if record.contract is None else str(record.contract)}
    row["id"] = _utf8(record.id, "id", record.id, rest)
    row["players"] = [_utf8(name, "players", list(record.players), rest) for name in record.players] or None
    row["deal"], row["played"] = _places(record.deal), None if record.played is None else _places(record.played)
    row["before"] = None if record.before is None else [f"{e.seat} {_action(e.action, deck)}" for e in record.before]
    cards, seats, said = [], [], []
    for at, event in enumerate(record.plays):
        action = event.action
        if len(action.cards) == 1 and action == play(action.cards[0]):
            cards.append(action.cards[0])
            seats.append(event.seat)
        else:
            said.append({"at": at, "seat": event.seat, "action": _action(action, deck)})
    row["cards"], row["seats"], row["said"] = cards, seats, said or None
    row["result"], row["notes"] = dict(record.result), _json(dict(record.notes), "notes") if record.notes else None
    row["rest"] = rest
    return row


def _utf8(text: str, name: str, whole: Any, rest: Row) -> str:
    """A text; where it holds bytes that are no UTF-8, the whole value is kept in ``rest``."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        rest[name] = whole
        return text.encode("utf-8", "replace").decode()


def _action(action: Action, deck: Deck) -> str:
    text = action.to_text(deck)
    if Action.from_text(text, deck) != action:
        raise InputError(None, None, "action", f"{text!r} does not read back as {action}")
    return text


def _places(deal: Deal) -> list[Any]:
    if len(deal.layout.deck) > 64:
        return [list(bits(mask)) for mask in deal.masks]
    return list(deal.masks)


def _json(value: Any, name: str) -> str:
    try:
        return json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(None, None, name, f"has no form in JSON: {error}") from error


def claim_type(value: Any) -> Any:
    """The type of the column of a claim, None if it is kept as JSON."""
    pa, _ = parquet.arrow()
    if isinstance(value, bool):
        return pa.bool_()
    if isinstance(value, int):
        return pa.int64() if _small(value) else None
    if isinstance(value, float):
        return pa.float64()
    if isinstance(value, str):
        return pa.string() if not _utf8_fault(value) else None
    if isinstance(value, (list, tuple)) and all(type(x) is int and _small(x) for x in value):
        return pa.list_(pa.int64())
    return None


def _small(value: int) -> bool:
    return -(1 << 63) <= value < 1 << 63


def _utf8_fault(text: str) -> bool:
    return _utf8(text, "", "", {}) != text


def claims_of(rows: Iterable[Row]) -> dict[str, Any]:
    """The columns for the claims of some rows: those that have the same type wherever they are made."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row["result"].items():
            kind = claim_type(value) if not _utf8_fault(name) and name else None
            kinds = found.setdefault(name, [])
            if kind not in kinds:
                kinds.append(kind)
    typed = {name: kinds[0] for name, kinds in found.items() if len(kinds) == 1 and kinds[0] is not None}
    return dict(itertools.islice(typed.items(), MOST_CLAIMS))


def _table(rows: Sequence[Row], form: Any, claims: Mapping[str, Any]) -> Any:
    pa, _ = parquet.arrow()
    columns = []
    for each in form:
        if each.name in ("deal", "played"):
            columns.append(_places_column([row[each.name] for row in rows], each.type))
        elif each.name == "result":
            results = [{n: v for n, v in row["result"].items() if _typed(n, v, claims)} for row in rows]
            columns.append(pa.array([result or None for result in results], each.type))
        elif each.name == "rest":
            columns.append(pa.array([_rest(row, claims) for row in rows], each.type))
        else:
            columns.append(pa.array([row[each.name] for row in rows], each.type))
    return pa.table(columns, schema=form)


def _typed(name: str, value: Any, claims: Mapping[str, Any]) -> bool:
    return name in claims and claim_type(value) == claims[name]


def _rest(row: Row, claims: Mapping[str, Any]) -> str | None:
    other = {name: value for name, value in row["result"].items() if not _typed(name, value, claims)}
    rest = {**row["rest"], **({"result": other} if other else {})}
    return _json(rest, "result") if rest else None


def _places_column(deals: Sequence[Sequence[Any] | None], kind: Any) -> Any:
    pa, _ = parquet.arrow()
    children = [
        pa.array([None if deal is None else deal[i] for deal in deals], kind.field(i).type)
        for i in range(kind.num_fields)
    ]
    return pa.StructArray.from_arrays(children, fields=list(kind), mask=pa.array([deal is None for deal in deals]))


@define
class _Writer:
    """Rows of one game gathered to row groups. claims: known when the first group of the game is written."""

    out: parquet.Output
    spec: str = ""
    layout: Layout | None = None
    claims: dict[str, Any] = field(factory=dict)
    form: Any = None
    rows: list[Row] = field(factory=list)

    def add(self, record: GameRecord) -> None:
        """Raises InputError for a record that no row can be made of, and one of another game than a file's."""
        row = row_of(record)
        if record.game != self.spec:
            if self.spec and self.out.partition is None:
                reason = (
                    f"a record of {record.game}: a file holds one game, here {self.spec}; --partition writes several"
                )
                raise InputError(None, None, "game", reason)
            self.flush()
            self.out.cut()
            self.spec, self.layout, self.form = record.game, record.deal.layout, None
        self.rows.append(row)
        if len(self.rows) == parquet.GROUP:
            self.flush()

    def flush(self) -> None:
        if not self.rows:
            return
        assert self.layout is not None
        if self.form is None:
            self.claims = claims_of(self.rows)
            self.form = schema(self.layout, self.claims)
        about = {
            "format": FORMAT_NAME,
            "version": VERSION,
            "game": self.spec,
            "deck": [card.name for card in self.layout.deck],
            "places": place_names(self.layout),
        }
        self.out.write(_table(self.rows, self.form, self.claims), about)
        self.rows = []


# -- reading ----------------------------------------------------------------------------------------------------------


def _game_of(part: parquet.Part) -> Game:
    spec = part.described.get("game")
    try:
        game = get_game(spec) if isinstance(spec, str) else None
    except (TricktakeError, ValueError) as error:
        raise InputError(part.path, None, "game", str(error)) from error
    if game is None:
        raise InputError(part.path, None, "game", "the metadata do not say which game this is")
    if part.described.get("deck") != [card.name for card in game.layout.deck]:
        raise InputError(part.path, None, "deck", f"not that of {game.spec} here")
    return game


def _rows_of(batch: Any) -> Iterator[Row]:
    """The rows of a record batch as Python values."""
    columns = {name: _values(batch.column(name)) for name in batch.schema.names}
    names = list(columns)
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(names, values, strict=True))


def _values(column: Any) -> list[Any]:
    """A column as Python values; lists are cut out of one, which is far quicker than list by list."""
    pa, _ = parquet.arrow()
    if pa.types.is_list(column.type) and not pa.types.is_struct(column.type.value_type):
        inner, ends = column.values.to_pylist(), column.offsets.to_pylist()
        whole = column.is_valid().to_pylist()
        return [inner[a:b] if ok else None for ok, (a, b) in zip(whole, itertools.pairwise(ends), strict=True)]
    if pa.types.is_struct(column.type):
        names = [each.name for each in column.type]
        inner = [_values(child) for child in column.flatten()]
        whole = column.is_valid().to_pylist()
        rows = zip(*inner, strict=True)
        return [dict(zip(names, row, strict=True)) if ok else None for ok, row in zip(whole, rows, strict=True)]
    return column.to_pylist()


def record_of_row(row: Row, game: Game) -> GameRecord:
    """The record of the values of a row. Raises InputError naming the column."""
    layout, deck = game.layout, game.layout.deck

    def events(name: str) -> tuple[Event, ...]:
        return tuple(read_event(text, deck, layout.seats) for text in row[name])

    def deal(name: str) -> Deal:
        places = row[name].values()
        if len(deck) > 64:
            places = [sum(1 << card for card in set(cards)) for cards in places]
        return Deal(layout, tuple(places))

    def result(name: str) -> Row:
        return {key: value for key, value in row[name].items() if value is not None}

    readers: dict[str, Callable[[str], Any]] = {
        "id": lambda name: row[name],
        "board": lambda name: row[name],
        "players": lambda name: tuple(row[name]),
        "deal": deal,
        "before": events,
        "contract": lambda name: game.contract(row[name]),
        "played": deal,
        "cards": lambda name: _plays(row, game),
        "result": result,
        "notes": lambda name: _object(row[name]),
        "rest": lambda name: _object(row[name]),
    }
    fields: dict[str, Any] = {}
    for name, reader in readers.items():
        if row.get(name) is None:
            continue
        try:
            fields[name] = reader(name)
        except InputError as error:
            raise InputError(None, None, error.field or name, error.reason) from error
        except (TricktakeError, ValueError, TypeError) as error:
            raise InputError(None, None, name, str(error)) from error
    for name in ("id", "board", "deal", "cards"):
        if name not in fields:
            raise InputError(None, None, name, "has no value")
    return _complete(fields, game)


def _complete(fields: Row, game: Game) -> GameRecord:
    rest = fields.pop("rest", {})
    if unknown := rest.keys() - {"id", "players", "result"}:
        raise InputError(None, None, "rest", f"unknown key {min(unknown)!r}")
    if not (isinstance(rest.get("id", ""), str) and isinstance(rest.get("players", []), list)):
        raise InputError(None, None, "rest", "id is a text, players a list")
    if "players" in rest:
        fields["players"] = tuple(map(str, rest["players"]))
    if "result" in rest:
        fields["result"] = {**fields.get("result", {}), **rest["result"]}
    fields["id"] = rest.get("id", fields["id"])
    fields["plays"] = fields.pop("cards")
    players = fields.get("players", ())
    if players and len(players) != game.seats:
        raise InputError(None, None, "players", f"{len(players)} names for {game.seats} seats")
    return GameRecord(game=game.spec, **fields)


def _object(text: str) -> Row:
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST} characters")
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")
    return found


def _plays(row: Row, game: Game) -> tuple[Event, ...]:
    """What was played and said, in its order."""
    cards, seats = row["cards"], row["seats"] or []
    if len(cards) != len(seats):
        raise ValueError(f"{len(cards)} cards, but {len(seats)} seats")
    if cards and (max(cards) >= len(game.layout.deck) or max(seats) >= game.seats):
        raise ValueError("a card or seat that the game does not have")
    plays = [Event(seat, play(card)) for card, seat in zip(cards, seats, strict=True)]
    for said in row["said"] or ():
        at, seat, text = said["at"], said["seat"], said["action"]
        if not (at is not None and 0 <= at <= len(plays) and seat is not None and seat < game.seats and text):
            raise InputError(None, None, "said", "an action without its place or seat")
        plays.insert(at, Event(seat, Action.from_text(text, game.layout.deck)))
    return tuple(plays)


class Columns(Format):
    """One row a game."""

    name = "parquet"
    summary = "columns: any game, complete, for queries"
    suffixes = (parquet.SUFFIX,)

    def sniff(self, head: str) -> bool:
        return head.startswith(parquet.MAGIC.decode())

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """The rows, numbered in each file from 1."""
        place = lines.columns if isinstance(lines, LineReader) else None
        if place is None:
            raise InputError(getattr(lines, "name", None), None, None, "Parquet is read from a file or folder as it is")
        for path in parquet.parts(place):
            with parquet.opened(path, FORMAT_NAME, VERSION) as part:
                game = _game_of(part)
                claims = next((f.type for f in part.schema if f.name == "result"), ())
                part.require(schema(game.layout, {f.name: f.type for f in claims}))
                for first, batch in part.batches(size=AT_ONCE):
                    for number, row in enumerate(_rows_of(batch), first):
                        yield Chunk(number, "", (game.spec, row), str(path))

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        spec, row = chunk.context
        rules = game if game is not None and game.spec == spec else get_game(spec)
        assert rules is not None
        return record_of_row(row, rules)

    def ident(self, chunk: Chunk) -> str:
        return str(chunk.context[1].get("id") or "")

    def text(self, record: GameRecord) -> str:
        raise InputError(None, None, None, "Parquet is no text: it is written to a file")

    def dump(self, records: Iterable[GameRecord], stream: TextIO, on_error: OnError | None = None) -> None:
        raise InputError(None, None, None, "Parquet is no text: it is written to a file, not to a stream")

    def save(
        self,
        records: Iterable[GameRecord],
        target: str | Path,
        on_error: OnError | None = None,
        partition: int | None = None,
    ) -> None:
        if str(target) == "-":
            raise InputError(None, None, None, "Parquet is written to a file, not to stdout")
        with parquet.Output(target, partition) as out:
            writer = _Writer(out)
            for record in records:
                attempted(writer.add, record, on_error)
            writer.flush()
            if not writer.spec:
                raise InputError(target, None, None, "not one game was written: a file of none could not say of which")


FORMAT = Columns()
