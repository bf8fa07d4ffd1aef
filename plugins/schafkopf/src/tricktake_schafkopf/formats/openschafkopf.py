"""The recorded games of openschafkopf as JSON: a list of objects, one a game.

Keys: ``rules`` (a call in the syntax of Rust, see ``rust``), ``hands`` (the four hands), ``tricks`` (each with ``lead``
and its ``cards`` in the order played), ``payout`` of the four seats; and, if there are any, ``doublings`` (the seats
that doubled before they had seen all cards) and ``stoss`` (who said Kontra, Re ...), as ``"3,1"`` or a list, and
``src``. The number of cards tells the pack. Seat 0 leads to the first trick. Doublings are part of the contract, who
said Kontra says it before the first card. Other keys are kept in ``notes``.

Source of the games: https://github.com/phimuemue/openschafkopf (MIT).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from attrs import evolve, fields

from tricktake.action import Event, play
from tricktake.cards import Deck
from tricktake.deal import Deal
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game, find_game
from tricktake.records.formats import Chunk, Format, OnError, attempted
from tricktake.records.lines import Line, within
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake.spec import Option, Spec
from tricktake_schafkopf.contract import SchafkopfContract
from tricktake_schafkopf.deck import LAYOUTS, SEATS
from tricktake_schafkopf.formats.rust import RulesText, read_rules, rules_text
from tricktake_schafkopf.phases import KONTRA
from tricktake_schafkopf.scoring import Tariff

NEEDED = ("rules", "hands", "tricks", "payout")
OPTIONAL = ("doublings", "stoss", "src")
STOCK = ("stock", "n_stock")  # money of passed deals, which the games here do not have

_SIGNS = re.compile(r'"(?:\\.|[^"\\])*"?|[{}]|[^"{}]+')
_BETWEEN = re.compile(r"[\s,\[\]]*")
_SRC = re.compile(r'"src"\s*:\s*"([^"]*)"')


class OpenSchafkopf(Format):
    """Schafkopf games as JSON."""

    name: ClassVar[str] = "openschafkopf"
    summary: ClassVar[str] = "games of openschafkopf as JSON: hands, rules, tricks, payouts"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    game: ClassVar[str | None] = "schafkopf"

    def sniff(self, head: str) -> bool:
        return head.lstrip()[:1] in ("[", "{") and '"rules"' in head and '"hands"' in head

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """The objects of the list, cut at their brackets; ``context`` is their number, counted from 1."""
        number = depth = first = size = lists = 0
        text, at = "", 1
        for at, line in lines:
            size = within(size + len(line) + 1, at) if depth else 0
            for sign in _SIGNS.findall(line):
                if depth == 0 and sign != "{":
                    lists += sign.count("[") - sign.count("]")  # open
                    if _BETWEEN.fullmatch(sign) is None:
                        number += 1
                        yield Chunk(at, sign, number)
                    continue
                depth += (sign == "{") - (sign == "}")
                if depth == 1 and sign == "{" and not text:
                    number, first = number + 1, at
                text += sign
                if depth == 0:
                    yield Chunk(first, text, number)
                    text = ""
            text += "\n" if depth else ""
        if depth or lists > 0:
            yield Chunk(first or at, text, number + (depth == 0))

    def ident(self, chunk: Chunk) -> str:
        match = _SRC.search(chunk.text)
        return f"{chunk.context} {match[1] if match else ''}".strip()

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        """Raises InputError that names the number of the record and the field."""
        try:
            return _record(chunk, self.ident(chunk))
        except InputError as error:
            error.at(None, chunk.line, f"record {chunk.context}" + (f", {error.field}" if error.field else ""))
            raise

    def text(self, record: GameRecord) -> str:
        return json.dumps(_object(record)) + "\n"

    def texts(self, records: Iterable[GameRecord], on_error: OnError | None = None) -> Iterator[str]:
        """A list with an object a line."""
        before = "["
        for record in records:
            text = attempted(self.text, record, on_error)
            if text is not None:
                yield before + "\n" + text.rstrip("\n")
                before = ","
        yield "[]\n" if before == "[" else "\n]\n"


FORMAT = OpenSchafkopf()


# -- reading ------------------------------------------------------------------------------------------------------


def _record(chunk: Chunk, ident: str) -> GameRecord:
    if not chunk.text.strip():
        raise wrong(None, "the list breaks off: it is not closed")
    if not chunk.text.startswith("{"):
        raise wrong(None, "not a JSON object")
    try:
        data = json.loads(chunk.text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise wrong(None, f"not JSON: {error}") from error
    if not isinstance(data, dict):
        raise wrong(None, "not a JSON object")
    for key in NEEDED:
        if data.get(key) is None:
            raise wrong(key, "is missing")
    for key in STOCK:
        if data.get(key) not in (None, 0, "0", "", [], [0, 0, 0, 0]):
            raise wrong(key, "games for a stock are not known here")
    rules = _read("rules", read_rules, _typed(data, "rules", str))
    deal = _deal(_typed(data, "hands", list))
    doublers = _seats(data, "doublings")
    if len(set(doublers)) < len(doublers):
        raise fault("doublings", f"a seat doubles twice: {data['doublings']}")
    contract = evolve(rules.contract, doublers=tuple(sorted(doublers)))
    if contract.called:
        _check_call(contract, deal)
    leaders, plays = _tricks(_typed(data, "tricks", list), deal)
    kontras = tuple(Event(seat, KONTRA) for seat in _seats(data, "stoss"))
    notes = {key: value for key, value in data.items() if key not in (*NEEDED, "doublings", "stoss")}
    return GameRecord(
        game=_game(rules, deal).spec,
        id=ident,
        deal=deal,
        contract=contract,
        plays=kontras + plays,
        result={"points": _whole(_typed(data, "payout", list), "payout"), "leaders": leaders},
        notes=notes,
    )


def _game(rules: RulesText, deal: Deal) -> Game:
    """The game with the options in which the tariff differs from the usual one."""
    options: dict[str, Option] = {} if deal.layout is LAYOUTS[32] else {"cards": 24}
    usual = Tariff()
    for part in fields(Tariff):
        if getattr(rules.tariff, part.name) != getattr(usual, part.name):
            options[part.name] = getattr(rules.tariff, part.name)
    if rules.stoss != 4:
        options["stoss"] = rules.stoss
    return find_game(str(Spec("schafkopf", tuple(sorted(options.items())))))


def _deal(hands: list[Any]) -> Deal:
    if len(hands) != SEATS or not all(isinstance(hand, list) for hand in hands):
        raise wrong("hands", "must be four lists of cards")
    layout = LAYOUTS.get(sum(map(len, hands)))
    if layout is None:
        sizes = ", ".join(str(len(hand)) for hand in hands)
        raise fault("hands", f"{sizes} cards, but a pack has 32 or 24")
    masks: list[int] = []
    for seat, hand in enumerate(hands):
        mask = 0
        for name in hand:
            card = 1 << _card(name, layout.deck, f"hands, seat {seat}")
            if any(card & held for held in (mask, *masks)):
                raise fault(f"hands, seat {seat}", f"{name} is there twice")
            mask |= card
        masks.append(mask)
    return _read("hands", lambda dealt: Deal(layout, dealt), tuple(masks))


def _check_call(contract: SchafkopfContract, deal: Deal) -> None:
    """A caller has a plain card of the suit, but not its ace."""
    deck, hand = deal.layout.deck, deal.masks[contract.declarer]
    if hand & deck.card(contract.called).mask:
        raise fault("rules", f"seat {contract.declarer} calls {contract.called}, but holds it")


def _tricks(tricks: list[Any], deal: Deal) -> tuple[list[int], tuple[Event, ...]]:
    """Who leads to each trick, and the cards in the order played."""
    leaders, plays = [], []
    for number, trick in enumerate(tricks, 1):
        field = f"trick {number}"
        if not isinstance(trick, Mapping) or not isinstance(trick.get("cards"), list):
            raise wrong(field, "must be an object with lead and cards")
        (lead,) = _whole([trick.get("lead")], f"{field}, lead")
        cards = trick["cards"]
        if not 0 <= lead < SEATS or len(cards) != SEATS:
            raise fault(field, f"lead {lead}, {len(cards)} cards; there are seats 0 to 3")
        leaders.append(lead)
        for k, name in enumerate(cards):
            card = _card(name, deal.layout.deck, field)
            plays.append(Event((lead + k) % SEATS, play(card)))
    return leaders, tuple(plays)


def _card(name: object, deck: Deck, field: str) -> int:
    if not isinstance(name, str):
        raise wrong(field, f"{name!r} is no card")
    return _read(field, lambda text: deck.card(text).index, name)


def _seats(data: Mapping[str, Any], key: str) -> list[int]:
    """Seats as ``"3,1"``, a list, or nothing."""
    value = data.get(key)
    words = value.replace(" ", "").strip(",").split(",") if isinstance(value, str) else value
    if not words or words == [""]:
        return []
    if not isinstance(words, list):
        raise wrong(key, f"{value!r} is no list of seats")
    for word in words:
        if str(word) not in ("0", "1", "2", "3"):
            raise wrong(key, f"{word!r} is no seat; seats are 0 to 3")
    return [int(word) for word in words]


def _whole(numbers: list[Any], key: str) -> list[int]:
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
        raise wrong(key, f"{numbers} must be whole numbers")
    if key == "payout" and len(numbers) != SEATS:
        raise wrong(key, f"{len(numbers)} payouts for {SEATS} seats")
    return numbers


def _typed(data: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(data[key], kind):
        raise wrong(key, f"must be {kind.__name__}, not {type(data[key]).__name__}")
    return data[key]


def _read(field: str, read: Callable[[Any], Any], value: Any) -> Any:
    """``read(value)``, with a fault reported as one of this field."""
    try:
        return read(value)
    except (TricktakeError, ValueError) as error:
        reason = error.reason if isinstance(error, InputError) else str(error)
        raise wrong(field, reason) from error


# -- writing ------------------------------------------------------------------------------------------------------


def _object(record: GameRecord) -> dict[str, Any]:
    """The JSON object of a record. Raises InputError for what it cannot express."""
    from tricktake_schafkopf.game import SchafkopfGame

    game = find_game(record.game)
    if not isinstance(game, SchafkopfGame) or not isinstance(record.contract, SchafkopfContract):
        raise wrong("contract", "only Schafkopf games that were played can be written")
    deck, contract = game.layout.deck, record.contract
    kontras = [event.seat for event in record.plays if event.action == KONTRA]
    cards = [event for event in record.plays if event.action.verb == "play"]
    points = record.result.get("points")
    if points is None or len(cards) != len(deck):
        raise wrong("plays", "only complete games with their payout can be written")
    tricks = [
        {"lead": cards[k].seat, "cards": [deck[event.action.cards[0]].name for event in cards[k : k + SEATS]]}
        for k in range(0, len(cards), SEATS)
    ]
    return {
        "src": record.notes.get("src", record.id),
        "rules": rules_text(contract, game.tariff, game.stoss),
        "hands": [deck.names(mask).split() for mask in record.deal.masks],
        "doublings": ",".join(map(str, contract.doublers)),
        "stoss": ",".join(map(str, kontras)),
        "tricks": tricks,
        "payout": list(points),
    }
