"""The Skat server and its players: without a network, line by line; over loopback; with clocks, faults and nonsense."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.game import SkatGame
from tricktake_skat.iss import client as clients
from tricktake_skat.iss import server
from tricktake_skat.iss.client import Client, Plan, play
from tricktake_skat.iss.hall import Hall
from tricktake_skat.iss.moves import PUBLIC, Seen
from tricktake_skat.recording import SkatRecording

from plugins.skat.tests.iss_company import NAMES, Company, Wire, by_lot, named
from tricktake.errors import InputError
from tricktake.records.record import GameRecord
from tricktake.strategies.player import Player
from tricktake.view import View

GAME = SkatGame()
RECORDS = SkatRecording(GAME)
TRANSCRIPT = Path(__file__).parent / "iss_transcript.txt"
PATIENCE = 300.0


def test_players_see_what_the_referee_shows_them() -> None:
    company = Company(by_lot, games=25)
    decisions = []

    def compare(view: View) -> None:
        game = company.board()
        decisions.append(view.phase)
        if view.phase not in ("discard", "declaration") or len(view.events) == len(game.table.events):
            assert view == game.table.view(view.seat)

    for player in company.players.values():
        player.asked = compare
    company.run()
    assert len(company.kept) == 25
    assert set(decisions) == {"auction", "skat", "discard", "declaration", "tricks"}
    for player in company.players.values():
        assert [record.result for record in player.finished] == [r.result for r in company.players["ada"].finished]
        assert not player.errors
    for record in company.kept:
        (again,) = FORMAT.loads(FORMAT.text(record))
        assert RECORDS.verify(again) == []
    names = [record.players for record in company.kept]
    assert names[0] == (names[1][2], names[1][0], names[1][1])  # the deal passes on


def test_a_seat_is_told_nothing_it_may_not_see() -> None:
    company = Company(by_lot, games=12)
    for _ in company.steps():
        game = company.board()
        if game is None:
            continue
        everybody = GAME.layout.deck.full_mask
        for seat, told in enumerate(game.told[:PUBLIC]):
            view = game.table.view(seat)
            may = view.gone | view.picked_up | game.table.deal.masks[seat]
            for mask in view.known:
                may |= mask
            assert not named([word for _, word, _ in told]) & ~may
            everybody &= may
        assert not named([word for _, word, _ in game.told[PUBLIC]]) & ~everybody
    assert len(company.kept) == 12


def test_the_transcript_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of one game, both ways, as forehand sees and says it."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "0123abcd")
    company = Company(by_lot, games=1, seed=3)
    lines = company.wires["ada"].log
    lines.clear()
    heard = company.hall.line

    def overheard(guest: Any, line: str) -> None:
        if guest.name == "ada":
            lines.append(f"> {line}")
        heard(guest, line)

    company.hall.line = overheard  # type: ignore[method-assign]
    company.run()
    assert lines == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


# -- clocks, leaving, coming back --------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [1, 8, 14, 30])
@pytest.mark.parametrize("how", ["TI", "LE"])
def test_who_is_late_or_leaves_loses(moves: int, how: str) -> None:
    company = Company(Player.from_spec("skat:rule").decide, games=1, seed=2)
    steps = company.steps()
    while (game := company.board()) is None or len(game.table.events) < moves:
        next(steps)
    turn = game.table.turn
    if how == "TI":
        company.clock.wait(239.0)
        assert company.kept == []
        company.clock.wait(2.0)
    else:
        name = game.order[turn]
        company.hall.line(company.hall.guests[name], f"table .1 {name} leave")
    (record,) = company.kept
    assert record.result["timeout" if how == "TI" else "left"] == turn
    (again,) = FORMAT.loads(FORMAT.text(record))
    assert RECORDS.verify(again) == []
    assert any(f"play w {how}.{turn}" in line for line in company.wires["ada"].lines)


def test_who_comes_back_is_told_all_of_it_again() -> None:
    company = Company(Player.from_spec("skat:rule").decide, games=1, seed=2)
    steps = company.steps()
    while (game := company.board()) is None or len(game.table.events) < 15:
        next(steps)
    guest, old = company.hall.guests["bob"], company.wires["bob"]
    company.hall.lost(guest, old)
    assert "bob" in company.hall.tables[".1"].seats
    with pytest.raises(InputError, match="_id_pw_mismatch"):
        company.hall.login("bob", "guessed", Wire())
    new = Wire()
    company.hall.login("bob", "secret", new)
    again = Client(Plan("bob", "secret"), by_lot)
    for line in new.lines:
        again.line(line)
    assert again.seen is not None
    seat = game.order.index("bob")
    assert again.seen.view() == game.table.view(seat)
    company.hall.lost(guest, old)  # late news of the old connection
    assert guest.wire is new


# -- over a network ----------------------------------------------------------------------------------------------------


def test_three_games_over_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """One connection is cut on the way; nothing is lost by it."""
    monkeypatch.setattr(clients, "PAUSE", 0.0)
    kept: list[GameRecord] = []
    decide = Player.from_spec("skat:rule").decide

    async def run() -> list[Client]:
        hall = Hall(3, server.later, kept.append)
        cut = []

        def cutting(view: View) -> None:
            if len(view.events) > 12 and not cut:
                cut.append(1)
                loop.call_soon_threadsafe(hall.guests["ada"].wire.close)  # type: ignore[union-attr]

        loop = asyncio.get_running_loop()
        async with server.listening(hall, "127.0.0.1", 0) as port, asyncio.timeout(PATIENCE):
            found = [Client(Plan(name, "pw", 3), decide) for name in NAMES[1:]]
            found.append(Client(Plan("ada", "pw", 3, NAMES[1:]), decide, asked=cutting))
            async with asyncio.TaskGroup() as tasks:
                for client in found[:2]:
                    tasks.create_task(play(client, "127.0.0.1", port))
                while len(hall.guests) < 2:
                    await asyncio.sleep(0)
                tasks.create_task(play(found[2], "127.0.0.1", port))
        assert cut
        return found

    found = asyncio.run(run())
    assert len(kept) == 3
    assert all(len(client.finished) == 3 for client in found)
    assert [client.errors for client in found] == [[], [], []]
    assert [FORMAT.text(record) for record in kept] == [FORMAT.text(record) for record in found[0].finished]


def test_a_player_who_is_back_answers_while_others_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection breaks at one's own turn; what is said in the hall meanwhile is no reason to wait for ever."""
    monkeypatch.setattr(clients, "PAUSE", 0.0)
    kept: list[GameRecord] = []
    decide = Player.from_spec("skat:rule").decide

    async def run() -> None:
        hall, loop = Hall(3, server.later, kept.append), asyncio.get_running_loop()
        cut = []

        def cutting(view: View) -> None:
            if len(view.events) > 12 and not cut:
                cut.append(1)
                loop.call_soon_threadsafe(hall.guests["ada"].wire.close)  # type: ignore[union-attr]

        async def talk() -> None:
            talker = hall.login("eve", "pw", Wire())
            while True:
                hall.line(talker, "yell ...")
                await asyncio.sleep(clients.QUIET / 6)

        async with server.listening(hall, "127.0.0.1", 0) as port, asyncio.timeout(PATIENCE):
            talking = asyncio.create_task(talk())
            async with asyncio.TaskGroup() as tasks:
                for name in NAMES[::-1]:
                    invited = NAMES[1:] if name == "ada" else ()
                    client = Client(
                        Plan(name, "pw", 3, invited), decide, asked=cutting if invited else lambda view: None
                    )
                    tasks.create_task(play(client, "127.0.0.1", port))
            talking.cancel()
        assert cut

    asyncio.run(run())
    assert len(kept) == 3
    assert not any("timeout" in record.result for record in kept)


def test_garbage_on_the_wire() -> None:
    async def run() -> None:
        hall = Hall(3, server.later)

        async def says(*data: bytes) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for piece in data:
                writer.write(piece)
            writer.write_eof()
            heard = await reader.read()
            writer.close()
            return heard

        bounds = evolve(server.BOUNDS, rate=1000.0)
        async with server.listening(hall, "127.0.0.1", 0, bounds) as port, asyncio.timeout(PATIENCE):
            assert await says(b"") == b""
            assert await says(b"x" * 100_000) in (b"", b"password:\n")
            assert b"error _invalid_id" in await says(b"\x00\xff;\n", b"pw\n")
            assert b"Welcome tom" in await says(b"tom\n", b"pw\n")
            assert b"error _id_pw_mismatch" in await says(b"login tom other\n")
            flood = await says(b"login tom pw\n", b"yell x\n" * 1000)
            assert flood.count(b"yell tom x") == 1000  # nothing is lost: it is read more slowly

    asyncio.run(run())


def test_who_is_refused_says_so() -> None:
    async def run() -> None:
        hall = Hall(3, server.later)
        hall.login("tom", "pw", Wire())
        async with server.listening(hall, "127.0.0.1", 0) as port, asyncio.timeout(PATIENCE):
            with pytest.raises(InputError, match="refuses tom: _id_pw_mismatch"):
                await play(Client(Plan("tom", "no"), by_lot), "127.0.0.1", port)

    asyncio.run(run())


# -- nonsense ----------------------------------------------------------------------------------------------------------

WORDS = (
    "create / 3 4 join observe .1 . time 34 table ada bob ready play 18 y p s GH G.C7.H8 NO.C7.H8 CJ RE SC invite "
    "leave w ??.?? state start end error Welcome 14 TI.0 TI.9 D. 99999999999999999999 (;GM[Skat] 0 1 2 | \x00"
)
WORD = st.sampled_from(WORDS.split(" ")) | st.text(max_size=5)
LINE = st.lists(WORD, max_size=6).map(" ".join) | st.tuples(
    st.sampled_from(["table .1 ada play ", "table .1 ada play 0 ", "table .1 ada play w ", "table .1 ada "]), WORD
).map("".join)


@given(st.lists(LINE, max_size=8), st.integers(0, 40))
@settings(max_examples=60)
def test_no_line_harms_the_hall(lines: list[str], moves: int) -> None:
    company = Company(by_lot, games=1, seed=2)
    for _ in company.steps():
        game = company.board()
        if game is not None and len(game.table.events) >= moves:
            break
    for line in lines:
        company.hall.line(company.hall.guests["ada"], line)
    assert all(isinstance(record, GameRecord) for record in company.kept)


@given(st.lists(LINE, max_size=8), st.integers(0, 40))
@settings(max_examples=60)
def test_no_line_harms_a_player_but_by_an_input_error(lines: list[str], moves: int) -> None:
    company = Company(by_lot, games=1, seed=2)
    for _ in company.steps():
        game = company.board()
        if game is not None and len(game.table.events) >= moves:
            break
    player = company.players["ada"]
    try:
        for line in lines:
            player.line(line)
            player.own_move()
    except InputError:
        pass


@pytest.mark.parametrize("told", ["", "(;GM[Skat]PC[x];) " * 2])
def test_an_end_without_a_game(told: str) -> None:
    """Found by lines at random: it was a ValueError."""
    client = Client(Plan("ada", "pw"), by_lot, table=".1", here="ada")
    with pytest.raises(InputError):
        client.line(f"table .1 ada end {told}")


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        ("CJ", "1 places, not 4"),
        ("|||", "3 hands are shown"),
        ("C7|??|??|??", "1 cards, not 10"),
        (".".join(["C7"] * 10) + "|??|??|??", "card C7 is there twice"),
        ("XX|??|??|??", "no card 'XX'"),
    ],
)
def test_a_deal_that_is_none(deal: str, reason: str) -> None:
    with pytest.raises(InputError, match=re.escape(reason)):
        Seen.dealt(deal)
