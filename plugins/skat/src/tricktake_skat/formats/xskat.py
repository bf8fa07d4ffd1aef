"""The log that XSkat writes (``xskat -auto N -log FILE``), read from 100,000 games of XSkat 4.0.

A game is one table of tricks, a column a player, a line with the random seed, the hands as played, and who played
what with which result; a line of ``=`` ends it. In the tricks an underscore marks the card that led and capitals the
one that won; if the leader won, only the capitals show. The third number of the seed is the dealer (1 to 3), so
forehand is the next column. Only the last bid is logged: ``before`` is None, but for a passed-in deal.

Writing loses the auction, and cuts names to the width of a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tricktake.action import Action, Event
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format, get_game
from tricktake.records.lines import Line
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import JACKS, SEATS, SKAT, SKAT_PLACE
from tricktake_skat.formats.common import PACK, PLAYED, exchanged, skat_contract
from tricktake_skat.rules import ALL_TRICKS, NULL_ORDER, TRUMP_ORDER

SUIT_NAMES = {"C": "Club", "S": "Spade", "H": "Heart", "D": "Diamond"}
GAME_NAMES = {**SUIT_NAMES, "G": "Grand", "N": "Null"}
NAMES = tuple(f"{SUIT_NAMES[c.suit]} {c.rank if c.rank != 'T' else '10'}" for c in SKAT)

LONGEST = 64  # lines of a record; a whole game has 31, with announcements a few more
_SEED = re.compile(r"---- random_seed (-?\d+) (-?\d+) (\d+)(?: .*?)? -*$")
_OWN = re.compile(r"---- record (.*) (\d) -*$")  # what we write for a deal that no seed of XSkat made
_END = "=" * 8
_RULE = "-" * 40

WIDTH = 12  # of a column
_LED, _WON = 1, 2
# What a cell says, with and without the blanks that fill it: (card, mark).
_CELLS: dict[str, tuple[int, int]] = {}
for _i, _name in enumerate(NAMES):
    for _cased, _mark in ((_name, 0), (_name.replace(" ", "_"), _LED), (_name.upper(), _WON)):
        _CELLS[_cased] = _CELLS[f"{_cased:<{WIDTH}}"] = (_i, _mark)
_CARDS = {text: card for text, (card, mark) in _CELLS.items() if mark != _LED}

_CONTRACT_LINES = {
    "Played Hand": "H",
    "Schneider announced": "HS",
    "Schwarz announced": "HSZ",
    "Played ouvert": "O",
    "Played ouvert Hand": "OH",
}
_RESULT = re.compile(r"(Won|Lost)(?: with: (-?\d+) points)?$")


def _card(text: str, field: str) -> int:
    index = _CARDS.get(text)
    if index is None:
        index = _CARDS.get(text.strip())
    if index is None:
        raise wrong(field, f"no card {text.strip()!r}")
    return index


def _columns(row: str) -> tuple[str, str, str]:
    return row[2:14], row[14:26], row[26:38]


class XSkatLog(Format):
    """XSkat's log of games."""

    name = "xskat"
    summary = "the log of XSkat, as `xskat -auto N -log FILE` writes it; the auction is not in it"
    suffixes = (".xskat", ".log")
    game = "skat"

    def sniff(self, head: str) -> bool:
        return "\n---- random_seed " in head or "\n---- record " in head

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """From one line of ``=`` to the next; too long a record is cut off, and will be refused."""
        block: list[str] = []
        start = 0
        for line in lines:
            if not block:
                start = line.number
                if not line.text.strip():
                    continue
            if _is_header(line.text) and len(block) > 1:  # the end of the record before was lost
                yield Chunk(start, "\n".join(block))
                block, start = [], line.number
            if len(block) <= LONGEST:
                block.append(line.text)
            if line.text.startswith(_END):
                yield Chunk(start, "\n".join(block))
                block = []
        if block:
            yield Chunk(start, "\n".join(block))

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        rows = chunk.text.split("\n")
        if len(rows) > LONGEST:
            raise wrong("record", f"longer than {LONGEST} lines")
        if not rows[-1].startswith(_END):
            raise wrong("record", "cut off: the closing line of = is missing")
        rules = [i for i, row in enumerate(rows) if row.startswith("----")]
        if len(rules) != 3 or rules[0] != 2:
            raise wrong("record", "does not have the three parts of a record: tricks, hands, result")
        header, tricks, seed = rows[0], rows[3 : rules[1]], rows[rules[1]]
        hand_rows, end = rows[rules[1] + 1 : rules[2]], rows[rules[2] + 1 : -1]
        names = (header[1:13].strip(), header[13:25].strip(), header[25:37].strip())
        if len({*names}) < SEATS:
            raise wrong("players", f"cannot tell three players from {header!r}")

        ident, dealer, notes = _seed(seed)
        forehand = dealer % SEATS
        columns = tuple((forehand + s) % SEATS for s in range(SEATS))  # of each seat
        seat_of = {c: s for s, c in enumerate(columns)}

        hands = _hands(hand_rows)
        facts = _end(end, names)
        skat = PACK.mask(facts["is"], "skat")
        played = PACK.deal([hands[c] for c in columns] + [skat], "hands")
        players = tuple(names[c] for c in columns)
        if facts["declarer"] is None:
            if [cell.strip().strip("_") for row in tricks for cell in _columns(row)] != ["Pass"] * SEATS:
                raise wrong("result", "says nobody who played")
            passes = tuple(Event(seat, Action("pass")) for seat in (1, 2, 0))
            return GameRecord(
                "skat", ident, played, players=players, before=passes, result={"passed": True}, notes=notes
            )
        declarer = seat_of[facts["declarer"]]
        contract = SkatContract.declared(declarer, facts["game"], facts["bid"])
        deal = exchanged(played, declarer, PACK.mask(facts["was"], "skat"))
        if contract.hand and deal != played:
            raise fault("skat", "a hand game in which the skat was exchanged")
        plays, winners = _tricks(tricks, columns, seat_of)
        if plays and plays[0].seat:
            raise fault("tricks", f"{names[columns[plays[0].seat]]} leads, but is not forehand")
        result: dict[str, Any] = {"won": facts["won"]}
        if facts["points"] is not None:
            result["eyes"] = facts["points"]
        played_out = len(winners) == ALL_TRICKS or (contract.is_null and declarer in winners)
        if played_out:  # else the rest went to whoever did not give up
            result["tricks"] = winners.count(declarer)
        result["winners"] = winners
        return GameRecord(
            game="skat",
            id=ident,
            deal=deal,
            players=players,
            contract=contract,
            played=None if played == deal else played,
            plays=plays,
            result=result,
            notes=notes,
        )

    def ident(self, chunk: Chunk) -> str:
        for row in chunk.text.split("\n"):
            if match := _SEED.match(row):
                return f"{match[1]}-{match[2]}"
            if match := _OWN.match(row):
                return match[1]
        return ""

    def text(self, record: GameRecord) -> str:
        game = get_game("skat")
        assert game is not None
        return _text(record, game)


def _is_header(text: str) -> bool:
    """The names above the columns: one blank before them, where the cards have two."""
    return text[:1] == " " and text[1:2].strip() != ""


def _seed(line: str) -> tuple[str, int, dict[str, Any]]:
    """The id, the dealer (1 to 3; 3 deals to the first column) and what to note of the seed."""
    if match := _SEED.match(line):
        ident, dealer = f"{match[1]}-{match[2]}", int(match[3])
        notes = {"random_seed": f"{match[1]} {match[2]} {match[3]}"}
    elif match := _OWN.match(line):
        ident, dealer, notes = match[1], int(match[2]), {}
    else:
        raise wrong("random_seed", f"cannot read {line!r}")
    if not 0 <= dealer <= SEATS:
        raise wrong("random_seed", f"dealer {dealer} is none of 1, 2, 3")
    return ident, dealer, notes


def _hands(rows: Sequence[str]) -> list[int]:
    cells = [_columns(row) for row in rows]
    return [PACK.mask([_card(row[c], "hands") for row in cells if row[c].strip()], "hands") for c in range(SEATS)]


def _end(rows: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """The lines under the hands: skat, last bid, contract and result."""
    facts: dict[str, Any] = {"declarer": None, "is": [], "was": None, "bid": None, "points": None, "won": None}
    flags: set[str] = set()
    for row in rows:
        head, colon, tail = row.partition(": ")
        if colon and head in ("Skat is", "Skat was"):
            facts[head.removeprefix("Skat ")] = [_card(name, head) for name in tail.strip().split(",")]
        elif colon and head == "Last bid":
            facts["bid"] = int(tail)
        elif " played " in row:
            player, _, name = row.rpartition(" played ")
            letters = {game: letter for letter, game in GAME_NAMES.items()}
            if player not in names or name.strip() not in letters:
                raise wrong("contract", f"cannot read {row!r}")
            facts["declarer"], facts["game"] = names.index(player), letters[name.strip()]
        elif row in _CONTRACT_LINES:
            flags |= set(_CONTRACT_LINES[row])
        elif match := _RESULT.match(row):
            facts["won"] = match[1] == "Won"
            facts["points"] = None if match[2] is None else int(match[2])
        elif row.strip():
            raise wrong("result", f"cannot read {row!r}")
    if facts["declarer"] is not None:
        for key, what in (("was", "Skat was"), ("bid", "Last bid"), ("won", "Won or Lost")):
            if facts[key] is None:
                raise wrong("result", f"the line {what!r} is missing")
        facts["game"] += "".join(sorted(flags))
    return facts


def _tricks(
    rows: Sequence[str], columns: Sequence[int], seat_of: dict[int, int]
) -> tuple[tuple[Event, ...], list[int]]:
    """The cards in the order they were played, and the seat that won each finished trick."""
    plays: list[Event] = []
    winners: list[int] = []
    for number, row in enumerate(rows):
        cells = [_cell(text) for text in _columns(row)]
        marks = [cell[1] if cell else 0 for cell in cells]
        if marks.count(_LED) > 1 or marks.count(_WON) > 1 or not any(marks):
            raise wrong("tricks", f"cannot tell who led and who won {row.strip()!r}")
        leader = seat_of[marks.index(_LED if _LED in marks else _WON)]
        order = [(leader + k) % SEATS for k in range(SEATS)]
        here = [(seat, cell) for seat in order if (cell := cells[columns[seat]])]
        if len(here) == SEATS and _WON in marks:
            winners.append(seat_of[marks.index(_WON)])
        elif number + 1 < len(rows) or [seat for seat, _ in here] != order[: len(here)] or len(here) == SEATS:
            raise wrong("tricks", f"a card or the winner is missing in {row.strip()!r}")
        plays += [PLAYED[seat][cell[0]] for seat, cell in here]
    return tuple(plays), winners


def _cell(text: str) -> tuple[int, int] | None:
    """Card and mark of a cell, None for an empty one."""
    cell = _CELLS.get(text) or _CELLS.get(text.strip())
    if cell is None and text.strip():
        raise wrong("tricks", f"no card {text.strip()!r}")
    return cell


# -- writing ----------------------------------------------------------------------------------------------------------


def _text(record: GameRecord, game: Game) -> str:
    contract = skat_contract(record)
    if contract is None and not record.result.get("passed"):
        raise InputError(record.source or record.id, None, "contract", "a broken-off auction has no place in this log")
    if any(event.action.verb == "claim" for event in record.plays):
        raise InputError(record.source or record.id, None, "plays", "a claim has no place in this log")
    seed = str(record.notes.get("random_seed", ""))
    dealer = int(seed.split()[2]) if seed else SEATS
    columns = [(s - dealer) % SEATS for s in range(SEATS)]  # the seat of each column
    names = _names(record, columns)
    played = record.deal_at_play
    lines = [" " + "".join(f"{name:<{WIDTH}}" for name in names)[:-1], " " * 36, _RULE]
    lines += [_row(cells) for cells in _trick_cells(record, game, columns)]
    lines.append((f"---- random_seed {seed} " if seed else f"---- record {record.id} {dealer} ").ljust(40, "-"))
    trump = _trump_mask(record, game)
    ranks = NULL_ORDER if contract is not None and contract.is_null else TRUMP_ORDER
    hands = [_sorted(played.masks[seat], trump, ranks) for seat in columns]
    for cards in zip(*hands, strict=True):
        lines.append(_row([NAMES[c].upper() if trump >> c & 1 else NAMES[c] for c in cards]))
    lines.append(_RULE)
    lines.append("Skat is: " + ",".join(NAMES[c] for c in bits(played.masks[SKAT_PLACE])))
    if contract is not None:
        lines.append("Skat was: " + ",".join(NAMES[c] for c in bits(record.deal.masks[SKAT_PLACE])))
        lines.append(f"Last bid: {contract.bid}")
        lines.append(f"{names[columns.index(contract.declarer)]} played {GAME_NAMES[contract.trump]}")
        lines += _announced(contract)
        lines.append(_outcome(record, contract))
    lines.append("=" * 40)
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "  " + "".join(f"{cell:<{WIDTH}}" for cell in cells)


def _names(record: GameRecord, columns: Sequence[int]) -> list[str]:
    """Names cut to a column, told apart by their column if that makes them equal."""
    names = [record.players[s] if record.players else f"Player{s + 1}" for s in columns]
    cut = [" ".join(name.split())[: WIDTH - 1] for name in names]
    if len(set(cut)) == SEATS and all(cut):
        return cut
    return [f"{name[: WIDTH - 3]}:{c + 1}" for c, name in enumerate(cut)]


def _trick_cells(record: GameRecord, game: Game, columns: Sequence[int]) -> Iterator[list[str]]:
    if record.contract is None:
        yield [f"{'_Pass_' if seat == 0 else 'Pass'}" for seat in columns]
        return
    state = record.table_at_play(game).tricks
    assert state is not None
    cells = {}
    for event in record.plays:
        if event.action.verb != "play":
            continue
        leader = state.leader
        (index,) = event.action.cards
        if not state.table:
            cells = {event.seat: NAMES[index].replace(" ", "_")}
        else:
            cells[event.seat] = NAMES[index]
        trick = state.play_checked(index)
        if trick is not None:
            best = trick.cards[(trick.winner - leader) % SEATS]
            cells[trick.winner] = NAMES[best].upper()
            yield [cells[seat] for seat in columns]
    if state.table:
        yield [cells.get(seat, "") for seat in columns]


def _trump_mask(record: GameRecord, game: Game) -> int:
    if record.contract is None:
        return JACKS  # nothing was declared: shown as for a grand
    state = record.table_at_play(game).tricks
    assert state is not None
    return 0 if state.rules.trump is None else state.rules.suit_mask(state.rules.trump)


def _sorted(hand: int, trump: int, ranks: str) -> list[int]:
    """Trumps first, jacks before all, then the suits; each from the highest card down."""

    def key(index: int) -> tuple[bool, bool, int, int]:
        suit, rank = SKAT.suits.index(SKAT[index].suit), ranks.find(SKAT[index].rank)
        return (not trump >> index & 1, rank >= 0, suit, -rank)

    return sorted(bits(hand), key=key)


def _announced(contract: SkatContract) -> list[str]:
    """Its lines: Schneider and Schwarz, but not those that ouvert implies, then how it is played."""
    first = "" if contract.ouvert else "HSZ" if contract.schwarz else "HS" if contract.schneider else ""
    played = ("OH" if contract.hand else "O") if contract.ouvert else "H" if contract.hand else ""
    lines = {flags: line for line, flags in _CONTRACT_LINES.items()}
    return [lines[flags] for flags in (first, played) if flags]


def _outcome(record: GameRecord, contract: SkatContract) -> str:
    for key in ("won",) if contract.is_null else ("won", "eyes"):
        if key not in record.result:
            raise InputError(record.source or record.id, None, key, "not in the record, and this log needs it")
    word = "Won" if record.result["won"] else "Lost"
    return word if contract.is_null else f"{word} with: {record.result['eyes']} points"


FORMAT = XSkatLog()
