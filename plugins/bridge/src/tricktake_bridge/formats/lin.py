"""LIN, the notation of Bridge Base Online: ``key|value|`` pairs, of single boards and of vugraph files.

Read are players (``pn``), deal and dealer (``md``, seats from South on, the last hand may be left out), vulnerability
(``sv``), the name of the board (``ah``, ``qx``), calls (``mb``) with alerts (``!``) and explanations (``an``), cards
(``pc``), claims (``mc``: tricks of the declarer's side), comments (``nt``), and of the head of a file the results
(``rs``), board numbers (``bn``) and players. Keys that only lay out a page (``pg``, ``st``, ``rh`` ...) are left out;
all others are kept in ``notes["lin"]``.

There is no official description; what the keys mean is told by files and by users of the site (forum of Bridge Base,
topic 19814 of 2007). Decisions:

* A board begins at ``qx``, or at ``pn`` or ``md`` where the board before has a deal already.
* ``qx|o3|`` is board 3 in the open room, ``c3`` in the closed room; a pair of results belongs to each board.
* An auction that breaks off before cards were played is completed by passes.
* Cards are in the order of play. A game without all cards has the tricks of its claim, else those of ``rs``.
* An alert without explanation has an empty one in ``notes["alerts"]`` (number of the call -> text).
* Written is one line a board. Its id is lost unless it is that of ``qx``; ``|`` in texts becomes ``/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from tricktake.action import Action, Event
from tricktake.cards import bits
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format
from tricktake.records.lines import Line, within
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake.trick import best_card
from tricktake_bridge.auction import BIDS, DOUBLE, PASS, REDOUBLE, closed, contract_of_calls
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE, SOUTH, board_of, dealer, vulnerable_sides
from tricktake_bridge.formats.common import PACK, PLAYED, SEATS, SUITS, bridge_contract
from tricktake_bridge.rules import strain_rules

PAGE = {"pg", "st", "rh", "lb", "lg", "ht", "hf", "cp", "cq", "cr", "cs", "ct", "at", "bt", "tu", "3b"}
HEAD = {"vg", "rs", "bn", "mp", "pw"}  # of a file, before its first board
SIDES = {(): "o", (0,): "n", (1,): "e", (0, 1): "b"}
VULNERABLE = {text: sides for sides, text in SIDES.items()} | {"0": (), "-": ()}
ROOMS = {"o": "open", "c": "closed"}
DIGITS = "0123456789"
MOST_BOARDS = 1 << 12  # entries of a value in the head of a file; a match has some hundred
_CALL = re.compile(r"([1-7][CDHS]|[1-7]NT?|P(?:ASS)?|XX|X|DBL|D|RDBL|R)(!?)", re.IGNORECASE)
_WORDS = {"P": PASS, "PASS": PASS, "D": DOUBLE, "X": DOUBLE, "DBL": DOUBLE, "R": REDOUBLE, "XX": REDOUBLE}
_WORDS |= {"RDBL": REDOUBLE} | {bid.value: bid for bid in BIDS} | {b.value[:-1]: b for b in BIDS if "NT" in b.value}
_RESULT = re.compile(r"([1-7])(C|D|H|S|NT?)(X{0,2})([NESW])(X{0,2})(=|[+-]\d+)", re.IGNORECASE)
_QX = re.compile(r"([oc])(\d+)", re.IGNORECASE)


@frozen
class Head:
    """What the head of a file says. values: of each key, its entries."""

    values: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def get(self, key: str) -> Sequence[str]:
        """The entries of a value."""
        return dict(self.values).get(key, ("",))

    def having(self, pairs: Iterable[tuple[str, str]], line: int) -> Head:
        """With these values, entries with commas between them. Raises InputError if they are too many."""
        found = {key: tuple(value.split(",")) for key, value in pairs if key in HEAD or key == "pn"}
        for key, entries in found.items():
            if len(entries) > MOST_BOARDS:
                raise wrong(key, f"{len(entries)} entries, more than any match has", line)
        return Head(tuple((dict(self.values) | found).items()))


class Lin(Format):
    """The notation of Bridge Base Online."""

    name = "lin"
    summary = "Bridge Base Online's, single boards and vugraph"
    suffixes = (".lin",)
    game = "bridge"

    def sniff(self, head: str) -> bool:
        return re.match(r"\s*(pn|md|vg|qx|rs|st|bn)\|", head) is not None

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """One per board; its context is the head of the file and the number of boards before."""
        head = Head()
        start = count = size = unread = 0
        rest: list[str] = []  # of a pair that is not complete
        held: list[tuple[str, str]] = []
        keys: set[str] = set()
        for line in lines:
            rest.append(f"{line.text}\n")
            if "|" in line.text:
                pairs, left = _split("".join(rest))
                rest = [left]
            else:
                pairs = []
            for name, value in pairs:
                key = name.strip().lower()
                if key == "qx" or (key in ("pn", "md") and "md" in keys):
                    if keys - PAGE - {"nt"}:
                        if "md" in keys or "qx" in keys:
                            yield _chunk(start, held, head, count)
                            count += 1
                        else:
                            head = head.having(held, line.number)
                    held, keys, size = [], set(), 0
                if not held:
                    start = line.number
                if key in HEAD:
                    head = head.having([(key, value)], line.number)
                else:
                    held.append((key, value))
                    keys.add(key)
                    size += len(key) + len(value)
            unread = unread + len(line.text) + 1 if not pairs else len(rest[0])
            within(size + unread, line.number)
        if keys - PAGE - {"nt"}:
            yield _chunk(start, held, head, count)
        if (text := "".join(rest)).strip():
            yield Chunk(start or 1, text)

    def ident(self, chunk: Chunk) -> str:
        return next((value for key, value in _split(chunk.text)[0] if key == "qx"), "")

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        pairs, rest = _split(chunk.text)
        if not pairs or rest:
            raise wrong(None, f"no pairs such as md|...|: {chunk.text[:30]!r}", chunk.line)
        head, number = chunk.context or (Head(), 0)
        return _Reader(pairs, head, number, chunk.line).record()

    def text(self, record: GameRecord) -> str:
        return "".join(f"{key}|{_plain(value)}|" for key, value in _written(record)) + "\n"


def _split(text: str) -> tuple[list[tuple[str, str]], str]:
    """The pairs a text begins with, and what comes after them."""
    pieces = text.split("|")
    whole = (len(pieces) - 1) // 2 * 2
    return list(zip(pieces[:whole:2], pieces[1:whole:2], strict=True)), "|".join(pieces[whole:])


def _chunk(start: int, held: Sequence[tuple[str, str]], head: Head, count: int) -> Chunk:
    return Chunk(start, "".join(f"{key}|{value}|" for key, value in held), (head, count))


# -- reading ----------------------------------------------------------------------------------------------------------


@define
class _Reader:
    """Makes the record of a board from its pairs."""

    pairs: Sequence[tuple[str, str]]
    head: Head
    number: int  # boards before it in the file
    line: int
    calls: list[Action] = field(factory=list)
    alerts: dict[str, str] = field(factory=dict)
    cards: list[int] = field(factory=list)
    result: dict[str, Any] = field(factory=dict)
    notes: dict[str, Any] = field(factory=dict)
    once: dict[str, str] = field(factory=dict)  # values of keys that stand there once

    def record(self) -> GameRecord:
        for key, value in self.pairs:
            self.take(key, value.strip())
        if "md" not in self.once:
            raise fault("md", "there is no deal", self.line)
        opener, masks = self.deal(self.once["md"])
        name, board = self.board(opener)
        opener = dealer(board)
        self.complete()
        events = tuple(Event((opener + n) % SEATS, call) for n, call in enumerate(self.calls))
        contract = contract_of_calls([(e.seat, e.action) for e in events]) if closed(self.calls) else None
        self.claims(contract, name)
        if contract is None and self.calls and "passed" not in self.result:
            self.result["passed"] = closed(self.calls)
        if self.alerts:
            self.notes["alerts"] = self.alerts
        return GameRecord(
            "bridge",
            name or f"line {self.line}",
            PACK.deal(masks, "md", self.line),
            board,
            self.players(name),
            events if self.calls else None,
            contract,
            plays=self.plays(contract),
            result=self.result,
            notes=self.notes,
        )

    def take(self, key: str, value: str) -> None:
        match key:
            case "mb":
                self.call(value)
            case "an":
                if not self.calls:
                    raise wrong("an", "explains no call", self.line)
                self.alerts[str(len(self.calls) - 1)] = value
            case "pc":
                for name in (value[n : n + 2] for n in range(0, len(value), 2)):
                    self.cards.append(PACK.card(name, "pc"))
            case "mc":
                if not value.isdecimal() or int(value) > len(BRIDGE) // SEATS:
                    raise wrong("mc", f"{value!r} is no number of tricks", self.line)
                self.result["tricks"] = int(value)
            case "nt":
                self.notes.setdefault("comments", []).append(value)
            case "md" | "sv" | "pn" | "ah" | "qx":
                if key in self.once:
                    raise wrong(key, "is there twice in this board", self.line)
                self.once[key] = value
            case _ if key not in PAGE and value:
                self.notes.setdefault("lin", []).append([key, value])

    def call(self, value: str) -> None:
        """One call, or several without anything between them."""
        place = 0
        while place < len(value):
            match = _CALL.match(value, place)
            if match is None:
                raise wrong("mb", f"call {len(self.calls) + 1} is {value[place:]!r}, which is none", self.line)
            if match[2]:
                self.alerts[str(len(self.calls))] = ""
            self.calls.append(_WORDS[match[1].upper()])
            place = match.end()

    def deal(self, text: str) -> tuple[int | None, list[int]]:
        """The dealer, None if it is not said, and the hands from North on."""
        opener = None
        if text[:1].isdecimal():
            digit, text = int(text[0]), text[1:]
            if digit > SEATS:
                raise wrong("md", f"dealer {digit}: dealers are 1 South, 2 West, 3 North, 4 East", self.line)
            opener = (digit - 1 + SOUTH) % SEATS if digit else None
        hands = [self.hand(hand) for hand in text.split(",")]
        hands += [0] * (SEATS - len(hands))
        if len(hands) > SEATS or hands.count(0) > 1:
            raise fault(
                "md", "the hands of several seats are hidden" if hands.count(0) > 1 else "five hands", self.line
            )
        if 0 in hands:
            hands[hands.index(0)] = BRIDGE.full_mask & ~(hands[0] | hands[1] | hands[2] | hands[3])
        return opener, [hands[(seat - SOUTH) % SEATS] for seat in range(SEATS)]

    def hand(self, text: str) -> int:
        cards, suit = [], ""
        for letter in text.strip().upper().replace("10", "T"):
            if letter in SUITS:
                suit = letter
            elif suit:
                cards.append(PACK.card(suit + letter, "md"))
            else:
                raise wrong("md", f"a hand begins with {letter!r}, not with a suit", self.line)
        return PACK.mask(cards, "md")

    def board(self, opener: int | None) -> tuple[str, int]:
        """Id and board: by its number, unless dealer and vulnerability are those of another one."""
        room = _QX.match(self.once.get("qx", ""))
        title = self.once.get("ah", "").rstrip()
        named = title[len(title.rstrip(DIGITS)) :]
        numbers = self.head.get("bn")
        number = room[2] if room else numbers[self.number // 2] if self.number // 2 < len(numbers) else ""
        number = named or number
        name = self.once.get("qx") or number
        if room and room[1].lower() == "c":
            self.notes["room"] = ROOMS["c"]
        vulnerable = self.once.get("sv", "").lower()
        if vulnerable and vulnerable not in VULNERABLE:
            raise wrong("sv", f"{vulnerable!r} is none of {', '.join(SIDES.values())}", self.line)
        counted = int(number) - 1 if number.isdecimal() and 0 < int(number) < 1 << 31 else None
        if counted is None and opener is None:
            raise fault("md", "neither the dealer nor the number of the board is known", self.line)
        first = dealer(counted or 0) if opener is None else opener
        if vulnerable:
            sides = VULNERABLE[vulnerable]
        else:
            sides = () if counted is None else vulnerable_sides(counted)
        if counted is not None and first == dealer(counted) and sides == vulnerable_sides(counted):
            return name, counted
        return name, board_of(first, sides)

    def players(self, name: str) -> tuple[str, ...]:
        """The names from North on; the head of a match names those of the open room and of the closed one."""
        own = self.once.get("pn")
        names = own.split(",") if own is not None else self.head.get("pn")
        if len(names) >= 2 * SEATS:
            start = SEATS if name[:1].lower() == "c" else 0
            names = names[start : start + SEATS]
        names = [*(each.strip() for each in names[:SEATS]), *[""] * (SEATS - len(names))]
        found = tuple(names[(seat - SOUTH) % SEATS] for seat in range(SEATS))
        return found if any(found) else ()

    def complete(self) -> None:
        """Passes that are left out where cards were played."""
        if self.cards and any(call.verb == "bid" for call in self.calls):
            while not closed(self.calls):
                self.calls.append(PASS)

    def claims(self, contract: BridgeContract | None, name: str) -> None:
        """What ``rs`` says, where the board itself says less."""
        results, room = self.head.get("rs"), _QX.match(name)
        if contract is None or room is None or "tricks" in self.result or len(self.cards) == len(BRIDGE):
            return
        place = 2 * self.row(room[2]) + (room[1].lower() == "c")
        match = _RESULT.fullmatch(results[place].strip()) if 0 <= place < len(results) else None
        if match is not None:
            self.result["tricks"] = 6 + int(match[1]) + (0 if match[6] == "=" else int(match[6]))

    def row(self, number: str) -> int:
        """The place of a board among those of the file: by the numbers in ``bn``, or from the first one in ``vg``."""
        numbers, match = self.head.get("bn"), self.head.get("vg")
        if number in numbers:
            return numbers.index(number)
        first = match[3].strip() if len(match) > 3 else ""
        return int(number) - (int(first) if first.isdecimal() else 1)

    def plays(self, contract: BridgeContract | None) -> tuple[Event, ...]:
        """Who played the cards, which are in the order of play."""
        if not self.cards:
            return ()
        if contract is None:
            raise fault("pc", "cards are played without a contract", self.line)
        rules, leader = strain_rules(contract.strain), (contract.declarer + 1) % SEATS
        out: list[Event] = []
        for start in range(0, len(self.cards), SEATS):
            trick = self.cards[start : start + SEATS]
            out += [PLAYED[(leader + k) % SEATS][card] for k, card in enumerate(trick)]
            leader = (leader + trick.index(best_card(rules, trick))) % SEATS
        return tuple(out)


# -- writing ----------------------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ").replace("\r", " ")


def _written(record: GameRecord) -> Iterator[tuple[str, str]]:
    """The pairs of a record. Raises InputError for what is no bridge."""
    if record.game != "bridge":
        raise wrong("game", f"LIN holds bridge, not {record.game}")
    contract, notes = bridge_contract(record), record.notes
    room = "c" if notes.get("room") == ROOMS["c"] else "o"
    yield "qx", record.id if _QX.fullmatch(record.id) else f"{room}{record.board + 1}"
    order = [(SOUTH + k) % SEATS for k in range(SEATS)]
    yield "pn", ",".join((record.players or ("",) * SEATS)[seat].replace(",", " ") for seat in order)
    yield "st", ""
    hands = ",".join(_hand(record.deal.masks[seat]) for seat in order)
    yield "md", f"{(dealer(record.board) - SOUTH) % SEATS + 1}{hands}"
    yield "rh", ""
    yield "ah", f"Board {record.board + 1}"
    yield "sv", SIDES[vulnerable_sides(record.board)]
    if record.before is not None:
        yield from _auction(record.before, _alerts(notes))
    elif contract is not None:
        raise wrong("before", "LIN tells a contract by its auction, which this record has not")
    yield "pg", ""
    cards = [event for event in record.plays if event.action.verb == "play"]
    for number, event in enumerate(cards, 1):
        yield "pc", BRIDGE[event.action.cards[0]].name
        if number % SEATS == 0:
            yield "pg", ""
    if contract is not None and len(cards) < len(BRIDGE) and "tricks" in record.result:
        yield "mc", str(record.result["tricks"])
    for text in notes.get("comments", ()):
        yield "nt", str(text)
    for key, value in notes.get("lin", ()):
        yield str(key), str(value)
    yield "pg", ""


def _hand(mask: int) -> str:
    return "".join(
        suit + "".join(BRIDGE[card].rank for card in bits(mask) if BRIDGE[card].suit == suit) for suit in SUITS
    )


def _auction(events: Iterable[Event], alerts: dict[str, str]) -> Iterator[tuple[str, str]]:
    words = {"pass": "p", "double": "d", "redouble": "r"}
    for number, event in enumerate(events):
        call = words.get(event.action.verb) or event.action.value.replace("NT", "N")
        explained = alerts.get(str(number))
        yield "mb", call + ("!" if explained is not None else "")
        if explained:
            yield "an", explained


def _alerts(notes: Any) -> dict[str, str]:
    """The explained calls; those PBN marks as ``=1=`` have their texts in Note tags."""
    found = {str(key): str(text) for key, text in dict(notes.get("alerts", {})).items()}
    texts = dict(str(text).partition(":")[::2] for text in notes.get("texts", ()))
    for number, marks in dict(notes.get("marks", {})).get("auction", {}).items():
        for mark in marks:
            if mark.startswith("=") and number not in found:
                found[number] = texts.get(mark.strip("="), "")
    return found


FORMAT = Lin()
