"""Portable Bridge Notation (PBN 2.1): tag pairs and sections, a blank line between games.

Read are the tags of deal, board, players, contract, result and score, the auction and the play, and the
``OptimumResultTable``; all other tags and sections are kept in ``notes["tags"]`` and ``notes["sections"]``, comments in
``notes["comments"]``, and marks on single calls and cards (alerts, notes, ``!``) in ``notes["marks"]``.

Decisions:

* A game ends at a blank line outside a comment, and where a tag comes a second time (but for ``Note``).
* ``#`` takes the value of the game before; a value that begins with ``##`` also holds for later games without the tag.
* ``?``, ``-`` and an empty text mean unknown. A hidden hand is an error, unless it follows from the other three.
* A game without ``Contract`` and ``Auction`` is a deal alone, which is not passed in; ``Contract "Pass"`` is.
* Dealer and vulnerability determine the board, its number only if they are missing or agree with it modulo 16. Without
  either the dealer is North, and neither side is vulnerable.
* An unfinished auction (``*``, ``+``) with a contract is kept as text; without a contract only the auction is known.
* Play rows are in columns from the opening leader on, whoever leads; ``-`` is a card not played, ``*`` and ``+`` end
  the play. They are written in the same way, with ``*`` where the play ends early.
* ``Result`` is that of the declarer's side; so is ``Score``, unless it names a side.
* Data of a record beyond PBN (its id if it is not the board, claims of other notations, notes) is JSON in the tag
  ``Tricktake``, whose line may be longer than the 255 characters PBN allows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from tricktake.action import Action, Event
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format, OnError, RecordFault
from tricktake.records.lines import Line, within
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake.trick import best_card
from tricktake_bridge.auction import BIDS, DOUBLE, PASS, REDOUBLE, closed, contract_of_calls
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE, SEAT_NAMES, TABLE_STRAINS, board_of, dealer, vulnerable_sides
from tricktake_bridge.formats.common import (
    PACK,
    PLAYED,
    SEATS,
    bridge_contract,
    deal_text,
    opening,
    read_deal,
    read_seat,
)
from tricktake_bridge.rules import strain_rules

PLAYERS = ("North", "East", "South", "West")
SIDES = {(): "None", (0,): "NS", (1,): "EW", (0, 1): "All"}
VULNERABLE = {text.upper(): sides for sides, text in SIDES.items()} | {"LOVE": (), "BOTH": (0, 1)}
UNKNOWN = ("", "?", "-")
MOST_LASTING = 1 << 8  # tags that later games inherit by ##, since each of them copies all
# In the order in which they are written (PBN 2.1, 3.4); the rest follows.
MANDATORY = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring"),
    *("Declarer", "Contract", "Result"),
)
OWN = "Tricktake"
OPTIMUM = "OptimumResultTable"
_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_CONTRACT = re.compile(r"([1-7])\s*(C|D|H|S|NT?)\s*(X{0,2})")
_SCORE = re.compile(r"(?:(NS|EW)\s+)?(-?\d+)(?:\s+(NS|EW)\s+(-?\d+))?")
_MARK = re.compile(r"=\d+=|\$\d+|\^[A-Z]?|[!?]{1,2}")
_CALLS = {"PASS": PASS, "P": PASS, "X": DOUBLE, "XX": REDOUBLE} | {bid.value: bid for bid in BIDS}
_CALLS |= {bid.value[:-1]: bid for bid in BIDS if bid.value.endswith("NT")}
# Claims a replay of the record gives anyway.
_FOLLOW = {
    "passed",
    "tricks",
    "points",
    "won",
    "declarer",
    "contract",
    "over",
    "vulnerable",
    "value",
    "winners",
    "table",
}

_Inherited = tuple[dict[str, str], dict[str, str]]


@define
class Text:
    """Cuts comments out of lines; a ``{`` comment may run over several."""

    open: bool = False
    comments: list[str] = field(factory=list)
    pieces: list[str] = field(factory=list)  # of the comment that is open

    def code(self, line: str) -> str:
        """The part of a line that is not a comment; a line that begins with ``%`` is one."""
        if not self.open and line.startswith("%"):
            return ""
        if self.open and not line:
            self.pieces.append("\n")
        if not self.open and "{" not in line and ";" not in line:
            return line
        out: list[str] = []  # a text that grows takes the square of its length, where not all is ASCII
        quoted, i = False, 0
        while i < len(line):
            char = line[i]
            if self.open:
                end = line.find("}", i)
                if end < 0:
                    self.pieces.append(line[i:] + "\n")
                    return "".join(out)
                self.comments.append("".join([*self.pieces, line[i:end]]))
                self.open, self.pieces, i = False, [], end
            elif char == "\\" and quoted:
                out.append(line[i : i + 2])
                i += 1
            elif char == ";" and not quoted:
                self.comments.append(line[i + 1 :].strip())
                return "".join(out)
            elif char == "{" and not quoted:
                self.open = True
            else:
                quoted ^= char == '"'
                out.append(char)
            i += 1
        return "".join(out)


@define
class Section:
    """A tag: its value, its line, and the lines below it."""

    value: str
    line: int
    rows: list[tuple[int, str]] = field(factory=list)

    def tokens(self) -> list[tuple[int, str]]:
        return [(line, word) for line, text in self.rows for word in text.split()]


class Pbn(Format):
    """Portable Bridge Notation."""

    name = "pbn"
    summary = "Portable Bridge Notation 2.1"
    suffixes = (".pbn",)
    game = "bridge"

    def sniff(self, head: str) -> bool:
        return re.search(r'^(% PBN|\[(Event|Board|Dealer|Deal|Site|Date|West|North) ")', head, re.MULTILINE) is not None

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """One per game; its context is the inherited values: those of the game before, and the lasting ones."""
        text = Text()
        seen: set[str] = set()
        held: list[str] = []
        start = size = 0
        before: _Inherited = ({}, {})
        for line in lines:
            inside = text.open
            code = text.code(line.text).strip()
            names = [] if inside else [m[1] for m in _TAG.finditer(code)]
            blank = not inside and not line.text.strip()
            if held and seen and (blank or (names and names[0] in seen and names[0] != "Note")):
                chunk = Chunk(start, "\n".join(held), before)
                yield chunk
                before = _inherit(_values(chunk), before)
                held, seen, size = [], set(), 0
                if len(before[1]) > MOST_LASTING:
                    raise InputError(None, line.number, None, f"more than {MOST_LASTING} tags are to last by ##")
            if blank and not held:
                continue
            if not held:
                start = line.number
            held.append(line.text)
            size = within(size + len(line.text) + 1, line.number)
            seen.update(names)
            if code and not names:
                seen.add("")  # what is no tag is part of a game too, and its fault
        if seen or text.open:
            yield Chunk(start, "\n".join(held), before)

    def ident(self, chunk: Chunk) -> str:
        return _values(chunk).get("Board", "")

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        tags, extra, comments = _read_tags(chunk)
        before: _Inherited = chunk.context or ({}, {})
        for name, section in tags.items():
            if section.value == "#":
                if name not in before[0]:
                    raise InputError(None, section.line, name, "inherits by # from a game without this tag")
                section.value = before[0][name]
            section.value = section.value.removeprefix("##")
        for name, value in before[1].items():
            tags.setdefault(name, Section(value, chunk.line))
        return _Reader(tags, extra, comments, chunk.line).record()

    def text(self, record: GameRecord) -> str:
        return _Writer(record).text()

    def texts(self, records: Iterable[GameRecord], on_error: OnError | None = None) -> Iterator[str]:
        yield "% PBN 2.1\n% EXPORT\n"
        yield from super().texts(records, on_error)


def _read_tags(chunk: Chunk) -> tuple[dict[str, Section], list[str], list[str]]:
    """Tags by name, the texts of Note tags, comments. Raises InputError for text that is not below a tag."""
    text = Text()
    tags: dict[str, Section] = {}
    extra: list[str] = []
    section: Section | None = None
    for number, line in enumerate(chunk.text.split("\n"), chunk.line):
        code = text.code(line).strip()
        matches = list(_TAG.finditer(code))
        for match in matches:
            value = _unescaped(match[2])
            section = Section(value, number)
            if match[1] == "Note":
                extra.append(value)
            elif match[1] in tags:
                raise wrong(match[1], "is there twice in this game", number)
            else:
                tags[match[1]] = section
        rest = _TAG.sub(" ", code).strip() if matches else code
        if not rest:
            continue
        if section is None or rest.startswith("["):
            raise wrong(None, f'not a tag such as [Board "1"]: {rest[:30]!r}', number)
        section.rows.append((number, rest))
    if text.open:
        raise InputError(None, chunk.line, None, "a comment { is not closed")
    return tags, extra, text.comments


def _values(chunk: Chunk) -> dict[str, str]:
    """The values of the tags of a chunk, as far as they can be read."""
    text = Text()
    codes = [text.code(line) for line in chunk.text.split("\n")]
    return {m[1]: _unescaped(m[2]) for code in codes for m in _TAG.finditer(code)}


def _inherit(values: Mapping[str, str], before: _Inherited) -> _Inherited:
    """The values the next game can inherit: all of this one, and the lasting ones."""
    last, lasting = before
    lasting = lasting | {name: value[2:] for name, value in values.items() if value.startswith("##")}
    own = {name: last.get(name, "") if value == "#" else value.removeprefix("##") for name, value in values.items()}
    return lasting | own, lasting


# -- reading ----------------------------------------------------------------------------------------------------------


@define
class _Reader:
    """Makes the record of a game from the tags it knows."""

    tags: dict[str, Section]
    extra: list[str]
    comments: list[str]
    line: int
    kept: dict[str, str] = field(factory=dict)  # known values that would be written differently
    marks: dict[str, dict[str, list[str]]] = field(factory=dict)
    result: dict[str, Any] = field(factory=dict)
    notes: dict[str, Any] = field(factory=dict)

    def take(self, name: str) -> Section | None:
        """A tag whose value is known; it is not among the rest any more."""
        section = self.tags.pop(name, None)
        return None if section is None or section.value in UNKNOWN else section

    def record(self) -> GameRecord:
        own = self.own()
        deal = self.take("Deal")
        if deal is None:
            raise RecordFault(None, self.line, "Deal", "there is none")
        cards = read_deal(deal.value, "Deal", deal.line)
        ident, board = self.board()
        players = tuple(section.value if (section := self.take(name)) else "" for name in PLAYERS)
        contract = self.contract()
        before, contract = self.auction(contract, dealer(board))
        self.claims(contract)
        if contract is not None:
            start: tuple[str, int] | None = (contract.strain, (contract.declarer + 1) % SEATS)
        else:
            strain, leader = own.get("notes", {}).get("strain"), own.get("notes", {}).get("leader")
            start = (strain, SEAT_NAMES.index(leader)) if strain in TABLE_STRAINS and leader in SEAT_NAMES else None
        plays = self.plays(start)
        self.optimum()
        self.keep()
        return GameRecord(
            "bridge",
            str(own.get("id", ident)),
            cards,
            board,
            players if any(players) else (),
            before,
            contract,
            plays=plays,
            result=self.result | own.get("result", {}),
            notes=self.notes | own.get("notes", {}),
        )

    def own(self) -> dict[str, Any]:
        section = self.take(OWN)
        if section is None:
            return {}
        try:
            found = json.loads(section.value)
        except json.JSONDecodeError as error:
            raise InputError(None, section.line, OWN, f"not JSON: {error}") from error
        if not isinstance(found, dict) or not all(isinstance(found.get(key, {}), dict) for key in ("result", "notes")):
            raise InputError(None, section.line, OWN, "not a JSON object with result and notes")
        return found

    def board(self) -> tuple[str, int]:
        """Id and board."""
        number, seat, vulnerable = self.take("Board"), self.take("Dealer"), self.tags.pop("Vulnerable", None)
        opener = None if seat is None else read_seat(seat.value, "Dealer", seat.line)
        sides = None
        if vulnerable is not None and vulnerable.value not in ("", "?"):
            sides = () if vulnerable.value == "-" else VULNERABLE.get(vulnerable.value.upper())
            if sides is None:
                known = ", ".join(SIDES.values())
                raise InputError(None, vulnerable.line, "Vulnerable", f"{vulnerable.value!r} is none of {known}")
        name = "" if number is None else number.value
        places = [self.tags[tag].value for tag in ("Room", "Table") if tag in self.tags]
        ident = "/".join([name or f"line {self.line}", *(p for p in places if p not in UNKNOWN)])
        counted = int(name) - 1 if name.isdecimal() and 0 < int(name) < 1 << 31 else None
        if counted is not None and opener in (None, dealer(counted)) and sides in (None, vulnerable_sides(counted)):
            return ident, counted
        if name:
            self.kept["Board"] = name
        if counted is not None:
            opener = dealer(counted) if opener is None else opener
            sides = vulnerable_sides(counted) if sides is None else sides
        return ident, board_of(opener or 0, sides or ())

    def contract(self) -> BridgeContract | None:
        """The contract of Contract and Declarer; None if there is none or it is unknown."""
        section, declarer = self.take("Contract"), self.take("Declarer")
        if section is None:
            return None
        text = section.value.upper().replace("*", "X")
        if text == "PASS":
            self.result["passed"] = True
            return None
        match = _CONTRACT.fullmatch(text)
        if match is None:
            raise InputError(None, section.line, "Contract", f"cannot read {section.value!r}; it looks like 3NTX")
        if declarer is None:
            raise RecordFault(None, section.line, "Declarer", f"nobody is named to declare {section.value}")
        if declarer.value.startswith("^"):  # an irregular declarer
            self.kept["Declarer"] = declarer.value
        seat = read_seat(declarer.value.removeprefix("^"), "Declarer", declarer.line)
        return BridgeContract(seat, int(match[1]), "NT" if match[2][0] == "N" else match[2], len(match[3]))

    def auction(
        self, contract: BridgeContract | None, opener: int
    ) -> tuple[tuple[Event, ...] | None, BridgeContract | None]:
        """The calls, None if they were not recorded, and the contract."""
        section = self.tags.get("Auction")
        if section is None or not section.rows:
            self.tags.pop("Auction", None)
            return None, contract
        if section.value not in UNKNOWN and read_seat(section.value, "Auction", section.line) != opener:
            reason = f"begins with {section.value}, but {SEAT_NAMES[opener]} deals"
            raise RecordFault(None, section.line, "Auction", reason)
        calls: list[Action] = []
        finished = True
        for line, word in section.tokens():
            bare = self.unmarked("auction", len(calls), word)
            if not bare:
                continue
            if bare in ("*", "+"):
                finished = False
                break
            if bare.upper() == "AP":
                calls += [PASS] * (3 - _passes(calls) if any(c.verb == "bid" for c in calls) else 4 - len(calls))
                continue
            call = _CALLS.get(bare.upper())
            if call is None:
                raise wrong("Auction", f"call {len(calls) + 1} is {word!r}, which is none", line)
            calls.append(call)
        if contract is not None and not (finished and closed(calls)):
            return None, contract  # the tag is kept
        del self.tags["Auction"]
        events = tuple(Event((opener + n) % SEATS, call) for n, call in enumerate(calls))
        if contract is None and "passed" not in self.result:
            if closed(calls):
                contract = contract_of_calls([(e.seat, e.action) for e in events])
            if contract is None:
                self.result["passed"] = closed(calls)
        return events, contract

    def claims(self, contract: BridgeContract | None) -> None:
        """The values of Result and Score."""
        for name in ("Result", "Score"):
            section = self.take(name)
            if section is None:
                continue
            match = _SCORE.fullmatch(section.value.removeprefix("^").strip())
            if match is None or (contract is None and match[1] is None):
                self.kept[name] = section.value
                continue
            said = {match[1]: int(match[2])} | ({match[3]: int(match[4])} if match[3] else {})
            declarer = 0 if contract is None else contract.declarer % 2
            sides = [said.get("NS"), said.get("EW")]
            if None in said:
                sides[declarer] = said[None]
            if name == "Result" and contract is not None:
                mine, theirs = sides[declarer], sides[1 - declarer]
                self.result["tricks"] = 13 - (theirs or 0) if mine is None else mine
            elif name == "Score":
                north = -(sides[1] or 0) if sides[0] is None else sides[0]
                if sides[1] not in (None, -north):
                    raise RecordFault(None, section.line, "Score", f"{section.value}: the sides do not add up to 0")
                self.result["points"] = [north, -north, north, -north]

    def plays(self, start: tuple[str, int] | None) -> tuple[Event, ...]:
        section = self.tags.pop("Play", None)
        if section is None or not section.tokens():
            return ()
        if start is None:
            raise RecordFault(None, section.line, "Play", "no contract tells what is trumps")
        rules = strain_rules(start[0])
        first = start[1] if section.value in UNKNOWN else read_seat(section.value, "Play", section.line)
        columns: list[tuple[int, int]] = []  # card (-1: none) and line
        for line, word in section.tokens():
            bare = self.unmarked("play", len(columns), word)
            if bare in ("*", "+"):
                break
            if bare:
                columns.append((-1 if bare.strip("-") == "" else self.card(bare, line), line))
        out: list[Event] = []
        leader = first
        for row in range(0, len(columns), SEATS):
            here = columns[row : row + SEATS]
            trick: list[int] = []
            for k in range(SEATS):
                column = (leader + k - first) % SEATS
                card, line = here[column] if column < len(here) else (-1, 0)
                if card >= 0 and len(trick) < k:
                    name = SEAT_NAMES[(leader + k) % SEATS]
                    raise fault("Play", f"trick {row // SEATS + 1}: {name} plays before its turn", line)
                if card >= 0:
                    trick.append(card)
                    out.append(PLAYED[(leader + k) % SEATS][card])
            if len(trick) < SEATS:
                if any(card >= 0 for card, _ in columns[row + SEATS :]):
                    raise RecordFault(None, here[0][1], "Play", f"trick {row // SEATS + 1} is not complete")
                break
            leader = (leader + trick.index(best_card(rules, trick))) % SEATS
        return tuple(out)

    def card(self, name: str, line: int) -> int:
        card = PACK.index.get(name.upper().replace("10", "T"))
        if card is None:
            raise wrong("Play", f"{name!r} is no card; cards look like SA", line)
        return card

    def unmarked(self, part: str, number: int, word: str) -> str:
        """A call or card without its marks, which are kept; marks on their own belong to the one before."""
        marks = _MARK.findall(word)
        bare = _MARK.sub("", word)
        if marks:
            self.marks.setdefault(part, {}).setdefault(str(number - (not bare)), []).extend(marks)
        return bare

    def optimum(self) -> None:
        """The double-dummy table, if it is complete."""
        section = self.tags.get(OPTIMUM)
        if section is None:
            return
        columns = [name.partition("\\")[0].strip("+- ") for name in section.value.split(";")]
        if sorted(columns) != ["Declarer", "Denomination", "Result"]:
            return
        order = [columns.index(name) for name in ("Denomination", "Declarer", "Result")]
        table: dict[str, dict[str, int]] = {strain: {} for strain in TABLE_STRAINS}
        for line, text in section.rows:
            words = text.split()
            if len(words) != 3:
                raise wrong(OPTIMUM, f"{len(words)} columns, not 3", line)
            strain, seat, tricks = (words[n] for n in order)
            strain = "NT" if strain.upper() == "N" else strain.upper()
            if strain not in table or not tricks.isdecimal() or int(tricks) > 13:
                raise wrong(OPTIMUM, f"cannot read {text!r}", line)
            table[strain][SEAT_NAMES[read_seat(seat, OPTIMUM, line)]] = int(tricks)
        if all(len(row) == SEATS for row in table.values()):
            del self.tags[OPTIMUM]
            self.result["table"] = {s: {seat: row[seat] for seat in SEAT_NAMES} for s, row in table.items()}

    def keep(self) -> None:
        """Keep all other tags unchanged."""
        tags = self.kept | {
            name: section.value for name, section in self.tags.items() if section.value or name not in MANDATORY
        }
        sections = {name: [text for _, text in s.rows] for name, s in self.tags.items() if s.rows}
        for key, found in (("tags", tags), ("sections", sections), ("marks", self.marks)):
            if found:
                self.notes[key] = found
        if self.extra:
            self.notes["texts"] = self.extra
        if self.comments:
            self.notes["comments"] = self.comments


def _passes(calls: Sequence[Action]) -> int:
    return next((n for n, call in enumerate(reversed(calls)) if call != PASS), len(calls))


# -- writing ----------------------------------------------------------------------------------------------------------


@define
class _Writer:
    """The text of a record."""

    record: GameRecord

    def text(self) -> str:
        record = self.record
        if record.game != "bridge":
            raise wrong("game", f"PBN holds bridge, not {record.game}")
        notes = dict(record.notes)
        kept, sections = dict(notes.pop("tags", {})), dict(notes.pop("sections", {}))
        texts, comments = notes.pop("texts", []), notes.pop("comments", [])
        marks = notes.pop("marks", {})
        values = self.values() | kept
        if own := self.own(notes, values):
            values[OWN] = json.dumps(own, separators=(",", ":"), ensure_ascii=False)
        out = []
        for name in (*MANDATORY, *(n for n in values if n not in MANDATORY)):
            out.append(_tag(name, values.get(name, "")))
            out += sections.pop(name, [])
        if record.before is not None:
            out += self.auction(marks.get("auction", {}))
        if record.plays:
            out += self.plays(marks.get("play", {}))
        if table := record.result.get("table"):
            out.append(_tag(OPTIMUM, r"Declarer;Denomination\2R;Result\2R"))
            out += [f"{d} {s:>2} {table[s][d]:>2}" for d in SEAT_NAMES for s in reversed(TABLE_STRAINS)]
        out += [_tag("Note", text) for text in texts]
        out += ["{" + text.replace("}", ")") + "}" for text in comments]
        return "\n".join(out) + "\n\n"

    def values(self) -> dict[str, str]:
        """The known tags."""
        record, contract = self.record, bridge_contract(self.record)
        names = record.players or ("",) * SEATS
        points = record.result.get("points")
        if contract is None:
            known = ("", "Pass", "") if record.passed else ("?", "?", "?")
        else:
            tricks = record.result.get("tricks", "?")
            known = (SEAT_NAMES[contract.declarer], contract.kind + "X" * contract.doubled, str(tricks))
        values = {
            "Board": str(record.board + 1),
            "Dealer": SEAT_NAMES[dealer(record.board)],
            "Vulnerable": SIDES[vulnerable_sides(record.board)],
            "Deal": deal_text(record.deal, dealer(record.board)),
            **dict(zip(PLAYERS, names, strict=True)),
            **dict(zip(("Declarer", "Contract", "Result"), known, strict=True)),
        }
        return values | ({} if points is None else {"Score": f"NS {points[0]}"})

    def own(self, notes: dict[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
        """Data that PBN cannot express."""
        record = self.record
        places = [values.get(name, "") for name in ("Room", "Table")]
        result = {key: value for key, value in record.result.items() if key not in _FOLLOW}
        own: dict[str, Any] = {"notes": notes, "result": result}
        if record.id != "/".join([values["Board"], *(p for p in places if p not in UNKNOWN)]):
            own["id"] = record.id
        return {key: value for key, value in own.items() if value}

    def auction(self, marks: Mapping[str, Sequence[str]]) -> list[str]:
        record = self.record
        assert record.before is not None
        calls = [e.action for e in record.before]
        words = [_marked(_call(call), marks, n) for n, call in enumerate(calls)]
        if not closed(calls):
            words.append("*")
        rows = [" ".join(words[n : n + SEATS]) for n in range(0, len(words), SEATS)]
        return [_tag("Auction", SEAT_NAMES[dealer(record.board)]), *rows]

    def plays(self, marks: Mapping[str, Sequence[str]]) -> list[str]:
        start = opening(self.record)
        if start is None:
            raise wrong("plays", "nothing tells the strain")
        events = [e for e in self.record.plays if e.action.verb == "play"]
        rows = []
        for k in range(0, len(events), SEATS):
            row = ["-"] * SEATS
            for event in events[k : k + SEATS]:
                row[(event.seat - start[1]) % SEATS] = BRIDGE[event.action.cards[0]].name
            rows.append(" ".join(_marked(word, marks, k + n) for n, word in enumerate(row)))
        if len(events) < len(BRIDGE):
            rows.append("*")
        return [_tag("Play", SEAT_NAMES[start[1]]), *rows]


def _tag(name: str, value: str) -> str:
    value = re.sub(r'\\(?=[\\"]|$)', r"\\\\", value.replace("\n", " ")).replace('"', r"\"")
    return f'[{name} "{value}"]'


def _unescaped(text: str) -> str:
    """A backslash stands for itself except before a quote or another one."""
    return re.sub(r'\\([\\"])', r"\1", text).strip()


def _call(call: Action) -> str:
    names = {"pass": "Pass", "double": "X", "redouble": "XX"}
    return names.get(call.verb) or call.value


def _marked(word: str, marks: Mapping[str, Sequence[str]], number: int) -> str:
    return " ".join([word, *marks.get(str(number), ())])


FORMAT = Pbn()
