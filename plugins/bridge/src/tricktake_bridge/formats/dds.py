"""The list format of DDS's test files: deals with the solver's results.

``NUMBER n``, then seven lines per deal; all but the first of them are optional here:

* ``PBN dealer vul trump first "N:..."``: seats N E S W are 0 to 3; vul 0 none, 1 both, 2 North-South, 3 East-West;
  trump 0 to 4 is S H D C NT; first leads.
* ``FUT n suits ranks equals scores``: the opening leads; suit 0 to 3 is S H D C, rank 2 to 14, equals a mask over ranks
  (bit 2 to 14) of equivalent lower cards, score the tricks of the leader's side.
* ``TABLE``: 20 numbers of tricks, strains S H D C NT by declarers N E S W.
* ``PAR``, ``PAR2``: the par scores and contracts.
* ``PLAY n "CTC4..."``: recorded cards in the order of play. ``TRACE n ...``: tricks of the declarer's side before the
  first card and after each; none after the 48th, since the last trick is forced.

There is no contract, only strain and leader. Cards, table, leads and trace are read (see ``common``); PAR, PAR2
and the order of FUT cannot be derived from the record, so their lines are kept unchanged in ``notes["dds"]``.
Layout of the lines after test/parse.cpp of dds-bridge/dds (Apache-2.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tricktake.action import Event
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format, OnError, attempted
from tricktake.records.lines import Line, within
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake.trick import TrickState
from tricktake_bridge.deck import BRIDGE, SEAT_NAMES, TABLE_STRAINS, board_of, dealer, vulnerable_sides
from tricktake_bridge.formats.common import PACK, PLAYED, SEATS, SUITS, deal_text, opening, read_deal
from tricktake_bridge.rules import strain_rules

SIDES: tuple[tuple[int, ...], ...] = ((), (0, 1), (0,), (1,))  # by the number of the vulnerability
KEPT = ("FUT", "PAR", "PAR2")
LINES = ("PBN", "FUT", "TABLE", "PAR", "PAR2", "PLAY", "TRACE")
LOWEST = 2  # number of the lowest rank
_PBN = re.compile(r'(\S+) (\S+) (\S+) (\S+) "([^"]*)"')
_PLAY = re.compile(r'(\S+) "([^"]*)"')


class DdsList(Format):
    """Deals in the format of DDS's own tests."""

    name = "dds"
    summary = "the list format of DDS's tests: deals, double-dummy tables, leads, traces"
    suffixes = (".dds",)
    game = "bridge"

    def sniff(self, head: str) -> bool:
        return re.match(r'\s*(NUMBER \d+\s*\n\s*)?PBN \d \d \d \d "', head) is not None

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """One from each PBN line to the next. Raises InputError at the end if NUMBER is wrong."""
        number, count, last = None, 0, 0
        start, size, held = 0, 0, [""]
        for line in lines:
            last, word = line.number, line.text.partition(" ")[0]
            if word == "NUMBER":
                number = line
                continue
            if word == "PBN" and any(held):
                count += 1
                yield Chunk(start, "\n".join(held), count)
                held = [""]
            if not any(held):
                if not line.text.strip():
                    continue
                start, size, held = line.number, 0, []
            held.append(line.text)
            size = within(size + len(line.text) + 1, line.number)
        if any(held):
            count += 1
            yield Chunk(start, "\n".join(held), count)
        if number is not None and number.text.split()[1:] != [str(count)]:
            raise InputError(
                None, last, "NUMBER", f"line {number.number} says {number.text[7:]!r}, but {count} are there"
            )

    def ident(self, chunk: Chunk) -> str:
        return str(chunk.context or "")

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        body: dict[str, tuple[int, str]] = {}
        for number, text in enumerate(chunk.text.split("\n"), chunk.line):
            word, _, rest = text.strip().partition(" ")
            if not word:
                continue
            if word not in LINES:
                raise wrong(word[:12], f"is none of the lines {', '.join(LINES)}", number)
            if word in body:
                raise wrong(word, "is there twice", number)
            body[word] = number, rest.strip()
        if "PBN" not in body:
            raise InputError(None, chunk.line, "PBN", "is missing: it begins each deal")
        line, text = body["PBN"]
        match = _PBN.fullmatch(text)
        if match is None:
            raise wrong("PBN", "is not: dealer vulnerability trump leader, and the deal in quotes", line)
        upto = {"dealer": SEATS, "vul": len(SIDES), "trump": len(TABLE_STRAINS), "first": SEATS}
        facts = [_number(match[n], f"PBN {name}", line, below) for n, (name, below) in enumerate(upto.items(), 1)]
        deal = read_deal(match[5], "PBN deal", line)
        strain, leader = TABLE_STRAINS[facts[2]], facts[3]
        result: dict[str, Any] = {}
        if "TABLE" in body:
            result["table"] = _read_table(*body["TABLE"])
        if "FUT" in body:
            result["leads"] = _read_leads(*body["FUT"])
        if "TRACE" in body:
            result["trace"] = _read_counted("TRACE", *body["TRACE"])
        plays: tuple[Event, ...] = ()
        if "PLAY" in body:
            plays = _read_plays(*body["PLAY"], TrickState(strain_rules(strain), deal.hands, leader))
        notes: dict[str, Any] = {"strain": strain, "leader": SEAT_NAMES[leader]}
        if kept := {word: body[word][1] for word in KEPT if word in body}:
            notes["dds"] = kept
        board = board_of(facts[0], SIDES[facts[1]])
        ident = str(chunk.context or chunk.line)
        return GameRecord("bridge", ident, deal, board, plays=plays, result=result, notes=notes)

    def text(self, record: GameRecord) -> str:
        """The lines of a deal. Raises InputError if the record has neither strain nor leader."""
        found = opening(record)
        if found is None:
            raise wrong("strain", "the list needs a strain and a leader, and the record has none")
        strain, leader = found
        kept = record.notes.get("dds", {})
        seat, vul = dealer(record.board), SIDES.index(vulnerable_sides(record.board))
        lines = {word: str(kept[word]) for word in KEPT if word in kept}
        lines["PBN"] = f'{seat} {vul} {TABLE_STRAINS.index(strain)} {leader} "{deal_text(record.deal, seat)}"'
        table, trace = record.result.get("table"), record.result.get("trace")
        if table is not None:
            lines["TABLE"] = " ".join(str(table[s][d]) for s in TABLE_STRAINS for d in SEAT_NAMES)
        cards = [e.action.cards[0] for e in record.plays if e.action.verb == "play"]
        if cards:
            lines["PLAY"] = f'{len(cards)} "{"".join(BRIDGE[c].name for c in cards)}"'
        if trace is not None:
            lines["TRACE"] = " ".join(map(str, (len(trace), *trace)))
        return "".join(f"{word} {lines[word]} \n" for word in LINES if word in lines)

    def texts(self, records: Iterable[GameRecord], on_error: OnError | None = None) -> Iterator[str]:
        """The whole list is held in memory, since its first line states its length."""
        written = [attempted(self.text, record, on_error) for record in records]
        texts = [text for text in written if text is not None]
        yield f"NUMBER {len(texts)} \n"
        yield from texts


def _number(text: str, field: str, line: int, below: int) -> int:
    if not text.isdecimal() or int(text) >= below:
        raise wrong(field, f"{text!r} is no number from 0 to {below - 1}", line)
    return int(text)


def _read_counted(field: str, line: int, text: str) -> list[int]:
    """A count, followed by that many numbers of tricks."""
    count, *words = text.split() or [""]
    numbers = [_number(word, field, line, 14) for word in words]
    if count != str(len(numbers)):
        raise wrong(field, f"{len(numbers)} numbers, but it says {count}", line)
    return numbers


def _read_table(line: int, text: str) -> dict[str, dict[str, int]]:
    numbers = [_number(word, "TABLE", line, 14) for word in text.split()]
    if len(numbers) != len(TABLE_STRAINS) * SEATS:
        raise wrong("TABLE", f"{len(numbers)} numbers, not {len(TABLE_STRAINS) * SEATS}", line)
    rows = (numbers[k : k + SEATS] for k in range(0, len(numbers), SEATS))
    return {strain: dict(zip(SEAT_NAMES, row, strict=True)) for strain, row in zip(TABLE_STRAINS, rows, strict=True)}


def _read_leads(line: int, text: str) -> dict[str, int]:
    """Every card of the FUT line, equivalent ones too, with its score."""
    words = [_number(word, "FUT", line, 1 << 15) for word in text.split()]
    count = words[0] if words else 0
    if len(words) != 1 + 4 * count:
        raise wrong("FUT", f"{len(words)} numbers, not {1 + 4 * count}", line)
    suits, ranks, equals, scores = (words[1 + k * count : 1 + (k + 1) * count] for k in range(4))
    leads: dict[str, int] = {}
    for suit, rank, equal, score in zip(suits, ranks, equals, scores, strict=True):
        for other in (rank, *(r for r in range(15) if equal >> r & 1)):
            if suit >= len(SUITS) or not LOWEST <= other < LOWEST + len(BRIDGE.ranks):
                raise wrong("FUT", f"no card has suit {suit} and rank {other}", line)
            leads[SUITS[suit] + BRIDGE.ranks[other - LOWEST]] = score
    return leads


def _read_plays(line: int, text: str, state: TrickState) -> tuple[Event, ...]:
    """The player of each card follows from the tricks; ``verify`` checks whether it was legal."""
    match = _PLAY.fullmatch(text)
    names = [] if match is None else [match[2][k : k + 2] for k in range(0, len(match[2]), 2)]
    if match is None or match[1] != str(len(names)):
        raise wrong("PLAY", "is not a count and as many cards in quotes", line)
    plays = []
    for number, name in enumerate(names, 1):
        card = PACK.index.get(name.upper())
        if card is None:
            raise wrong("PLAY", f"card {number} is {name!r}, which is none", line)
        if state.over or not state.hands[state.turn] >> card & 1:
            holder = "nobody" if state.over else SEAT_NAMES[state.turn]
            raise fault("PLAY", f"card {number} is {name}, but {holder} holds it in turn", line)
        plays.append(PLAYED[state.turn][card])
        state.play(card)
    return tuple(plays)


FORMAT = DdsList()
