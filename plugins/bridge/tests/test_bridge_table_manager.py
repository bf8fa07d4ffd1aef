"""The table manager protocol: sentence by sentence, over loopback, against a tournament, and with nonsense."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import define, evolve, field
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_bridge.deck import LAYOUT
from tricktake_bridge.formats.common import PACK
from tricktake_bridge.table_manager.manager import Manager
from tricktake_bridge.table_manager.net import managing, play
from tricktake_bridge.table_manager.player import Player
from tricktake_bridge.table_manager.words import (
    NAMES,
    Note,
    board_text,
    call_text,
    cards_text,
    plain,
    read_board,
    read_call,
    read_cards,
    read_play,
    seat_named,
)

from plugins.bridge.tests.bridge_tables import GAME, RECORDS
from tricktake.action import Action
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.records.formats import get_format
from tricktake.records.record import GameRecord
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player as Strategies
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.tournament.config import from_mapping
from tricktake.tournament.run import run
from tricktake.view import View

TRANSCRIPT = Path(__file__).parent / "table_manager_transcript.txt"
BOT = "bid=bridge:rule,play=core:manners"
PATIENCE = 300.0
SEED = 18


def boards(number: int) -> list[GameRecord]:
    return [GameRecord("bridge", str(n + 1), deal(LAYOUT, SEED, n), n) for n in range(number)]


def by_lot(view: View, limit: Limit, rng: np.random.Generator) -> Decision:
    """Any card, and mostly passes."""
    legal = view.legal
    passes = [action for action in legal if action.verb == "pass"]
    low = passes if passes and rng.random() < 0.6 else legal[:4]
    return Decision(low[int(rng.integers(len(low)))])


@define(eq=False)
class Wire:
    lines: list[str] = field(factory=list)
    open: bool = True

    def send(self, line: str) -> None:
        self.lines.append(line)

    def close(self) -> None:
        self.open = False


@define
class Room:
    """A manager and four players joined without a network. said: every line of every seat, both ways, in order."""

    boards: list[GameRecord]
    decide: Callable[..., Decision] = by_lot
    spoken: Callable[[int, str], str] = lambda seat, line: line
    said: list[tuple[int, str]] = field(factory=list)
    manager: Manager = field(init=False)
    players: list[Player] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.manager = Manager(self.boards, now=lambda: 0.0)
        self.players = [Player(seat, "NS" if seat % 2 == 0 else "EW", self.decide, seed=SEED) for seat in range(4)]

    def play(self) -> Manager:
        wires = [Wire() for _ in range(4)]
        read = [0] * 4
        for seat, player in enumerate(self.players):
            player.begin()
            self.said.append((seat, f"> {player.to_send[0]}"))
            assert self.manager.seat(player.to_send.pop(), wires[seat]) == seat
        busy = True
        while busy:
            busy = False
            for seat, player in enumerate(self.players):
                while read[seat] < len(wires[seat].lines) or player.to_send:
                    busy = True
                    if player.to_send:
                        line = self.spoken(seat, player.to_send.pop(0))
                        self.said.append((seat, f"> {line}"))
                        self.manager.line(seat, line)
                    else:
                        line = wires[seat].lines[read[seat]]
                        read[seat] += 1
                        self.said.append((seat, f"< {line}"))
                        player.line(line)
        return self.manager


def test_boards_are_played_and_kept() -> None:
    """Players see what the referee would show them, and the results agree with the rules."""
    room = Room(boards(8))
    views: list[View] = []
    for player in room.players:
        player.asked = views.append
    manager = room.play()
    assert manager.fault == ""
    assert len(manager.results) == 8
    for view in views:
        (record,) = (r for r in manager.results if r.board == view.board)
        table = replayed(record, len(view.events))
        assert view == table.view(view.seat)
    for record in manager.results:
        assert RECORDS.verify(record) == []
    (*_, last) = get_format("pbn").loads(get_format("pbn").dumps(manager.results))
    assert (last.deal, last.contract, last.plays) == (room.boards[-1].deal, manager.results[-1].contract, last.plays)


def test_a_deal_may_be_passed_in() -> None:
    manager = Room(boards(2), lambda view, limit, rng: Decision(Action("pass"))).play()
    assert [record.passed for record in manager.results] == [True, True]
    assert [RECORDS.verify(record) for record in manager.results] == [[], []]


def replayed(record: GameRecord, events: int) -> Table:
    """The table of a record after so many calls and cards."""
    return Table.replay(GAME, record.deal, (*(record.before or ()), *record.plays)[:events], record.board)


def test_nobody_is_told_the_cards_of_others() -> None:
    """Hands go to their seats, and dummy's to all but itself; nothing else names a card that was not played."""
    room = Room(boards(4))
    room.play()
    for seat, line in room.said:
        if line.startswith("<") and "'s cards" in line:
            assert line.startswith((f"< {NAMES[seat]}'s cards", "< Dummy's cards"))


def test_the_transcript_is_as_it_was() -> None:
    """Every sentence of the protocol, as North and East hear and say them."""
    room = Room(boards(3))
    room.play()
    lines = [f"{NAMES[seat][0]} {line}" for seat, line in room.said if seat in (0, 1)]
    assert lines == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("style", ["upper", "full stops", "declarer's name", "blanks"])
def test_other_programs_speak_a_little_otherwise(style: str) -> None:
    room, usual = Room(boards(2)), Room(boards(2))

    def spoken(seat: int, line: str) -> str:
        if style == "upper":
            return line.upper()
        if style == "full stops":
            return line + "."
        if style == "blanks":
            return "  " + line.replace(" ", "  ") + " "
        match = re.fullmatch(r"(\w+) plays (\w\w)", line)
        return f"{NAMES[seat]} plays {match[2]}" if match else line

    room.spoken = spoken
    assert [r.result for r in room.play().results] == [r.result for r in usual.play().results]


def test_alerts_are_for_the_opponents() -> None:
    room = Room(boards(3))
    room.spoken = lambda seat, line: f"{line} Alert. 11 to 13" if " bids " in line else line
    manager = room.play()
    assert manager.fault == ""
    heard = [(seat, line) for seat, line in room.said if line.startswith("<") and " bids " in line]
    assert heard
    for seat, line in heard:
        partner = NAMES.index(line.split()[1]) % 2 == seat % 2
        assert ("Alert. 11 to 13" in line) != partner
    (again,) = get_format("pbn").loads(get_format("pbn").dumps([r for r in manager.results if r.contract][:1]))
    assert again.notes["texts"][0] == "1:11 to 13"


def test_a_match_is_that_of_a_tournament(tmp_path: Path) -> None:
    """Two teams, two boards, both rooms: the same contracts, tricks and points as without the protocol."""
    specs = (BOT, "bid=bridge:rule,play=core:random")
    players = [{"name": name, "spec": spec} for name, spec in zip("AB", specs, strict=True)]
    config, _ = from_mapping({"game": "bridge", "seed": SEED, "deals": 2, "isolate": "no", "player": players})
    rows = list(run(config, tmp_path / "games.jsonl").values())
    assert len(rows) == 4
    for row in rows:
        room = Room([boards(2)[row["deal"]]])
        for seat, player in enumerate(room.players):
            player.decide = Strategies.from_spec(specs[row["players"][seat]]).decide
            player.game = lambda board, row=row: row["id"]
        (record,) = room.play().results
        assert (str(record.contract), list(record.result["points"])) == (row["contract"], row["points"])


def test_two_boards_over_loopback() -> None:
    async def session() -> Manager:
        manager = Manager(boards(2))
        players = [Player(seat, "NS" if seat % 2 == 0 else "EW", by_lot, seed=SEED) for seat in range(4)]
        async with managing(manager, "127.0.0.1", 0) as (port, ended), asyncio.timeout(PATIENCE):
            async with asyncio.TaskGroup() as tasks:
                for player in players:
                    tasks.create_task(play(player, "127.0.0.1", port))
            await ended.wait()
        assert [player.boards for player in players] == [2] * 4
        return manager

    manager = asyncio.run(session())
    assert manager.fault == ""
    assert [r.result for r in manager.results] == [r.result for r in Room(boards(2)).play().results]


def test_a_player_that_goes_ends_the_session_but_not_the_results() -> None:
    async def session() -> Manager:
        manager = Manager(boards(3))
        players = [Player(seat, "NS" if seat % 2 == 0 else "EW", by_lot, seed=SEED) for seat in range(4)]

        def leaving(view: View) -> None:
            if view.board == 2 and view.seat == 1:
                raise InputError(None, None, "East", "goes home")

        players[1].asked = leaving
        async with managing(manager, "127.0.0.1", 0) as (port, ended), asyncio.timeout(PATIENCE):
            outcomes = await asyncio.gather(*(play(p, "127.0.0.1", port) for p in players), return_exceptions=True)
            await ended.wait()
        assert all(isinstance(outcome, InputError) for outcome in outcomes)
        return manager

    manager = asyncio.run(session())
    assert manager.fault == "East has gone"
    assert len(manager.results) == 2


# -- who may sit down --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("hello", "expected Connecting"),
        ('Connecting "x" as North using protocol version 17', "this is protocol version 18"),
        ('Connecting "x" as Nowhere using protocol version 18', "no such seat"),
        ('Connecting "x" as South using protocol version 18', "partners are one team: ours"),
        ('Connecting "ours" as North using protocol version 18', "no such seat, or it is taken"),
    ],
)
def test_who_is_refused(line: str, reason: str) -> None:
    manager, wire = Manager([]), Wire()
    assert manager.seat('connecting "ours" as north using protocol version 18.', Wire()) == 0
    assert manager.seat(line, wire) == -1
    assert reason in wire.lines[0]
    assert not wire.open


def test_any_place() -> None:
    manager, wire = Manager([]), Wire()
    assert manager.seat('Connecting "WBridge5" as ANYPL using protocol version 18', wire) == 0
    assert wire.lines == ['North ("WBridge5") seated']


# -- sentences ---------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_sentences_are_read_as_they_are_written(seed: int) -> None:
    rng = random.Random(seed)
    mask = deal(LAYOUT, seed, 0).masks[0]
    assert read_cards(cards_text("Dummy", mask), "Dummy") == mask
    board = rng.randrange(1000)
    assert read_board(board_text(board)) == board
    call = Action("bid", f"{rng.randint(1, 7)}{rng.choice(['C', 'D', 'H', 'S', 'NT'])}")
    for note in (Note("forcing; 5+"), Note("15-17 balanced", alert=False)):
        assert read_call(call_text(2, call, note)) == ("South", call, note)
    assert read_call(call_text(3, Action("redouble"))) == ("West", Action("redouble"), None)


@pytest.mark.parametrize(
    ("read", "line"),
    [
        (read_board, "Board number x. Dealer North. Neither vulnerable."),
        (read_call, "North bids 8C"),
        (read_call, "North thinks"),
        (read_play, "North plays 1C"),
        (lambda line: read_cards(line, "North"), "North's cards : S A K."),
        (lambda line: read_cards(line, "South"), cards_text("North", 8191)),
        (seat_named, "Nord"),
    ],
)
def test_what_is_no_sentence(read: Callable[[str], Any], line: str) -> None:
    with pytest.raises(InputError):
        read(line)


WORDS = (
    "North East South West Dummy bids passes plays ready for 's bid card to trick 1 7NT 3C Alert. Start of Board End "
    "Timing Error cards : S A K - . Board number 1. Dealer North. Neither vulnerable. \x00"
)
WORD = st.sampled_from(WORDS.split(" ")) | st.text(max_size=4)
LINE = st.lists(WORD, max_size=7).map(" ".join)


@given(st.lists(st.tuples(st.integers(0, 3), LINE), max_size=5), st.integers(0, 60))
@settings(max_examples=25)
def test_no_line_harms_the_manager(lines: list[tuple[int, str]], after: int) -> None:
    room = Room(boards(1))
    count = [0]

    def spoken(seat: int, line: str) -> str:
        count[0] += 1
        if count[0] == after:
            for other, nonsense in lines:
                room.manager.line(other, nonsense)
        return line

    room.spoken = spoken
    try:
        manager = room.play()
    except InputError as error:  # of a player, who is told why the session ends
        manager, _ = room.manager, str(error)
    assert manager.over


@given(st.lists(LINE, min_size=1, max_size=5))
@settings(max_examples=60)
def test_no_line_harms_a_player_but_by_an_input_error(lines: list[str]) -> None:
    player = Player(0, "x", by_lot)
    player.begin()
    for line in ('North ("x") seated', 'Teams : N/S : "x". E/W : "y"', "Start of Board"):
        player.line(line)
    try:
        for line in lines:
            player.line(line)
    except InputError:
        pass
    assert plain(" a  b. ") == "a b"


def test_records_name_the_teams() -> None:
    (record,) = Room(boards(1)).play().results
    assert record.players == ("NS", "EW", "NS", "EW")
    assert evolve(record, players=()).deal == boards(1)[0].deal


@pytest.mark.parametrize("place", range(4))
def test_more_cards_than_a_hand_has_are_refused(place: int) -> None:
    """A manager may tell of more cards of a seat than it was dealt."""
    held = [0] * 4
    held[place] = (1 << 14) - 1
    with pytest.raises(InputError, match=f"14 cards in place {place}"):
        PACK.completed(held, "cards")
