"""tricktake's own format: one JSON object a line, for any game, complete.

Keys: ``game``, ``id``, ``board``, ``players``, ``deal`` (places separated by ``|``), ``before`` (the actions before
the tricks as ``SEAT ACTION``, null if they were not recorded), ``contract`` and ``played`` (null if there is none),
``plays``, ``result`` and ``notes``. Empty ones are left out. ``source`` is where a record was read and is not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tricktake.action import Action, Event
from tricktake.cards import Deck
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format, get_game
from tricktake.records.record import GameRecord

KEYS = {"game", "id", "board", "players", "deal", "before", "contract", "played", "plays", "result", "notes"}


_ID = re.compile(r'"id": ?"([^"]*)"')


def event_text(event: Event, deck: Deck) -> str:
    """``SEAT ACTION``."""
    return f"{event.seat} {event.action.to_text(deck)}"


def read_event(text: str, deck: Deck, seats: int) -> Event:
    """The event of its text. Raises ValueError."""
    seat, _, action = text.partition(" ")
    if not (seat.isdecimal() and int(seat) < seats):
        raise ValueError(f"{text!r} does not begin with a seat")
    return Event(int(seat), Action.from_text(action, deck))


def as_dict(record: GameRecord) -> dict[str, Any]:
    """The JSON object of a record."""
    deck = record.deal.layout.deck
    out: dict[str, Any] = {"game": record.game, "id": record.id}
    if record.board:
        out["board"] = record.board
    if record.players:
        out["players"] = list(record.players)
    out["deal"] = record.deal.to_text()
    out["before"] = None if record.before is None else [event_text(e, deck) for e in record.before]
    out["contract"] = None if record.contract is None else str(record.contract)
    if record.played is not None:
        out["played"] = record.played.to_text()
    if record.plays:
        out["plays"] = [event_text(e, deck) for e in record.plays]
    if record.result:
        out["result"] = dict(record.result)
    if record.notes:
        out["notes"] = dict(record.notes)
    return out


def from_dict(data: Mapping[str, Any], game: Game | None = None) -> GameRecord:
    """The record of a JSON object. Raises InputError naming the field."""
    unknown = set(data) - KEYS
    if unknown:
        raise InputError(None, None, min(unknown), f"unknown key; known: {', '.join(sorted(KEYS))}")
    for key, kind in (("game", str), ("id", str), ("deal", str)):
        if not isinstance(data.get(key), kind):
            raise InputError(None, None, key, "is missing or no text")
    rules = game if game is not None and game.spec == data["game"] else get_game(data["game"])
    assert rules is not None
    deck, layout = rules.layout.deck, rules.layout

    def deal(key: str) -> Deal:
        return Deal.from_text(layout, _typed(data, key, str))

    def events(key: str) -> tuple[Event, ...]:
        return tuple(read_event(text, deck, layout.seats) for text in _typed(data, key, list))

    readers: dict[str, Any] = {
        "board": lambda key: _typed(data, key, int),
        "players": lambda key: tuple(str(name) for name in _typed(data, key, list)),
        "deal": deal,
        "before": events,
        "contract": lambda key: rules.contract(_typed(data, key, str)),
        "played": deal,
        "plays": events,
        "result": lambda key: _typed(data, key, dict),
        "notes": lambda key: _typed(data, key, dict),
    }
    fields: dict[str, Any] = {}
    for key, reader in readers.items():
        if data.get(key) is None:
            continue
        try:
            fields[key] = reader(key)
        except InputError as error:
            raise InputError(None, None, error.field or key, error.reason) from error
        except ValueError as error:
            raise InputError(None, None, key, str(error)) from error
    players = fields.get("players", ())
    if players and len(players) != layout.seats:
        raise InputError(None, None, "players", f"{len(players)} names for {layout.seats} seats")
    return GameRecord(game=rules.spec, id=data["id"], **fields)


def _typed(data: Mapping[str, Any], key: str, kind: type) -> Any:
    value = data[key]
    if not isinstance(value, kind):
        raise ValueError(f"must be {kind.__name__}, not {type(value).__name__}")
    return value


class JsonLines(Format):
    """One JSON object a line."""

    name = "jsonl"
    summary = "tricktake's own: any game, complete, one JSON object a line"
    suffixes = (".jsonl",)

    def sniff(self, head: str) -> bool:
        return head.lstrip().startswith('{"')

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        if not chunk.text.lstrip().startswith("{"):
            raise InputError(None, None, None, "not a JSON object")
        try:
            data = json.loads(chunk.text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(None, None, None, f"not JSON: {error}") from error
        if not isinstance(data, dict):
            raise InputError(None, None, None, "not a JSON object")
        return from_dict(data, game)

    def ident(self, chunk: Chunk) -> str:
        match = _ID.search(chunk.text)
        return match[1] if match else ""

    def text(self, record: GameRecord) -> str:
        return json.dumps(as_dict(record), separators=(",", ":")) + "\n"


FORMAT = JsonLines()
