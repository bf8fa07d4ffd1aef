"""Tables of four and onlookers at the Skat server: who plays, who is told what, who may do what."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from tricktake_skat.deck import SKAT
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.game import SkatGame
from tricktake_skat.iss import client as clients
from tricktake_skat.iss import server
from tricktake_skat.iss.client import ANY, Client, Plan, play
from tricktake_skat.iss.hall import MAX_WATCHED, Hall
from tricktake_skat.iss.moves import PUBLIC
from tricktake_skat.iss.table import FREE
from tricktake_skat.recording import SkatRecording
from tricktake_skat.series import Series

from plugins.skat.tests.iss_company import NAMES, Company, Wire, by_lot, named
from tricktake.errors import InputError
from tricktake.records.record import GameRecord
from tricktake.strategies.player import Player

FOUR = (*NAMES, "dan")
RECORDS = SkatRecording(SkatGame(4))
PATIENCE = 300.0


def playing(company: Company) -> Iterator[tuple[str, Client]]:
    """The steps of a company while a game runs."""
    for step in company.steps():
        if company.board() is not None:
            yield step


def test_four_play_and_one_looks_on() -> None:
    """The deal passes on, who deals sits out, and neither dealer nor onlooker is told a card that not all know."""
    company = Company(by_lot, games=12, names=FOUR, lookers=("eve",))
    for _ in playing(company):
        game = company.board()
        known = SKAT.full_mask
        for seat in range(3):
            view = game.table.view(seat)
            may = view.gone | view.picked_up | game.table.deal.masks[seat]
            for mask in view.known:
                may |= mask
            known &= may
        assert not named([word for _, word, _ in game.told[PUBLIC]]) & ~known
        for name in {*FOUR, "eve"} - set(game.order):
            lines = company.wires[name].lines
            start = max(n for n, line in enumerate(lines) if " start " in line)
            assert not named(line for line in lines[start:] if " play " in line) & ~known
    dealers = [(set(FOUR) - set(record.players)).pop() for record in company.kept]
    assert set(dealers[:4]) == set(FOUR)
    assert dealers == dealers[:4] * 3
    assert [record.players[0] for record in company.kept[:-1]] == dealers[1:]  # who plays first deals next
    for record in company.kept:
        assert RECORDS.verify(record) == []
        (again,) = FORMAT.loads(FORMAT.text(record))
        assert SkatRecording(SkatGame()).verify(again) == []
    for name, client in company.players.items():
        assert [r.result["points"] for r in client.finished] == [r.result["points"] for r in company.kept], name
        gone = ["_not_at_table"] if name == "eve" else []  # the last player may have left before she says so
        assert client.errors in ([], gone)


def test_the_score_is_that_of_a_series() -> None:
    """Every player's points in the state of the table, game by game, with those of the dealer who sits out."""
    company = Company(by_lot, games=8, names=FOUR)
    series, games = Series(4), 0
    for _ in company.steps():
        while games < len(company.kept):
            record = company.kept[games]
            declarer = record.result.get("declarer", -1)
            points = record.result["points"][declarer] if declarer >= 0 else 0
            series = series.with_game(declarer if declarer >= 0 else None, points)
            games += 1
            table = company.hall.tables[".1"]
            if len(table.players) == 4 and table.played == games:
                assert [table.standings[name].points for name in table.seats] == [s.score for s in series.standings()]
                assert [table.standings[name].won for name in table.seats] == [s.won for s in series.standings()]
    assert games == 8


def test_who_comes_to_look_on_is_told_all_that_was() -> None:
    company = Company(Player.from_spec("skat:rule").decide, games=1, seed=2, lookers=("eve",))
    late: list[str] = []
    for _ in playing(company):
        if len(company.board().table.events) == 15:
            wire = Wire()
            company.hall.line(company.hall.login("late", "pw", wire), "observe .1")
            late = wire.lines
            break
    eve = company.wires["eve"].lines
    moves = [line for line in late if line.startswith("table .1 . play")]
    assert moves == [line for line in eve if line.startswith("table .1 . play")]
    assert len(moves) >= 15
    assert "create .1 . 3" in late
    (start,) = (line for line in late if " start " in line)
    assert start.endswith("MV[]R[unknown] ;)")


def test_the_dealer_may_go_and_another_may_come() -> None:
    company = Company(Player.from_spec("skat:rule").decide, games=1, seed=2, names=FOUR)
    hall, newcomer = company.hall, Wire()
    for _ in playing(company):
        game = company.board()
        if len(game.table.events) == 10:
            (dealer,) = set(FOUR) - set(game.order)
            hall.line(hall.guests[dealer], f"table .1 {dealer} leave")
            assert company.board() is game
            hall.line(hall.login("new", "pw", newcomer), "join .1")
            assert hall.tables[".1"].full
            break
    told = [line for line in newcomer.lines if line.startswith("table .1 new play")]
    assert [line.split()[4:6] for line in told] == [[who, word] for who, word, _ in game.told[PUBLIC]]
    hall.line(hall.guests["new"], "table .1 new play CJ")
    assert newcomer.lines[-1] == "table .1 new error play : _not_a_player"


@pytest.mark.parametrize("names", [NAMES, FOUR])
def test_who_disconnects_keeps_the_seat_for_this_game_only(names: tuple[str, ...]) -> None:
    company = Company(Player.from_spec("skat:rule").decide, games=1, seed=2, names=names)
    hall = company.hall
    for _ in playing(company):
        if len(company.board().table.events) == 6:
            break
    for name in names:
        hall.lost(hall.guests[name], company.wires[name])
    assert hall.tables[".1"].full
    company.clock.wait(241.0)  # of who was to move
    assert len(company.kept) == 1
    assert hall.tables == {}


# -- three or four -----------------------------------------------------------------------------------------------------


def seated(*names: str, size: int = 3) -> tuple[Hall, dict[str, Wire]]:
    """A table .1 with these guests at it."""
    hall, wires = Hall(1, lambda seconds, call: lambda: None), {name: Wire() for name in names}
    for name, wire in wires.items():
        hall.login(name, "pw", wire)
    hall.line(hall.guests[names[0]], f"create / {size}")
    for name in names[1:]:
        hall.line(hall.guests[name], "join .1")
    return hall, wires


def say(hall: Hall, name: str, what: str) -> None:
    hall.line(hall.guests[name], f"table .1 {name} {what}")


def test_a_table_changes_its_size_when_all_want_it() -> None:
    hall, wires = seated(*NAMES)
    table = hall.tables[".1"]
    say(hall, "ada", "34")
    say(hall, "bob", "34")
    assert (table.size, table.full) == (3, True)
    say(hall, "cyd", "34")
    assert (table.size, table.full) == (4, False)
    assert "tables + .1 4 0 ada bob cyd . -1" in wires["bob"].lines
    for name in NAMES:
        say(hall, name, "ready")
    assert table.round is None  # the fourth is missing
    hall.line(hall.login("dan", "pw", Wire()), "join .1")
    say(hall, "dan", "34")
    assert table.size == 4
    say(hall, "dan", "leave")
    for name in NAMES:
        say(hall, name, "34")
    assert table.size == 3
    assert table.round is not None  # all were ready
    say(hall, "ada", "34")
    assert wires["ada"].lines[-1] == "table .1 ada error 34 : _game_in_progress"


def test_no_table_of_four_shrinks_while_it_is_full() -> None:
    hall, wires = seated(*FOUR, size=4)
    say(hall, "ada", "34")
    assert wires["ada"].lines[-1] == "table .1 ada error 34 : _34_table_full"
    hall.line(hall.guests["ada"], "create / 5")
    assert wires["ada"].lines[-1] == "error _illegal_table_type 5"


# -- what an onlooker may do -------------------------------------------------------------------------------------------


def test_who_looks_on_may_only_leave() -> None:
    hall, wires = seated(*NAMES)
    eve = Wire()
    hall.line(hall.login("eve", "pw", eve), "observe .1")
    for what, reason in {
        "play 18": "_not_a_player",
        "tell hello": "_not_a_player",
        "ready": "_not_a_player",
        "34": "_not_a_player",
        "invite bob": "_not_a_player",
    }.items():
        for here in (FREE, "eve"):  # SkatGUI says ".", JSkat the name of who is logged in
            hall.line(hall.guests["eve"], f"table .1 {here} {what}")
            assert eve.lines[-1] == f"table .1 . error {what.split()[0]} : {reason}"
    for line in ("observe .1", "join .1"):
        hall.line(hall.guests["eve"], line)
        assert eve.lines[-1] == "error _already_at_table"
    hall.line(hall.guests["ada"], "observe .1")
    assert wires["ada"].lines[-1] == "error _already_at_table"
    hall.line(hall.guests["eve"], "table .1 ada play 18")
    assert eve.lines[-1] == "error _not_your_name"
    hall.line(hall.guests["eve"], "table .1 eve leave")
    assert eve.lines[-1] == "destroy .1 ."
    hall.line(hall.guests["eve"], "table .1 . leave")
    assert eve.lines[-1] == "error _not_at_table"


def test_onlookers_are_bounded_and_go_with_the_table() -> None:
    hall, _ = seated("ada")
    eve = Wire()
    guest = hall.login("eve", "pw", eve)
    for _ in range(MAX_WATCHED):
        hall.line(hall.guests["ada"], "create / 3")
    for number in range(1, MAX_WATCHED + 1):
        hall.line(guest, f"observe .{number}")
    hall.line(guest, f"observe .{MAX_WATCHED + 1}")
    assert eve.lines[-1] == "error _too_many_tables"
    say(hall, "ada", "leave")
    assert "destroy .1 ." in eve.lines
    hall.lost(guest, eve)
    assert not any(table.lookers for table in hall.tables.values())


# -- over a network ----------------------------------------------------------------------------------------------------


def test_two_games_of_four_over_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """An onlooker's connection is cut in a game; it comes back and sees it end."""
    monkeypatch.setattr(clients, "PAUSE", 0.0)
    kept: list[GameRecord] = []
    decide = Player.from_spec("skat:rule").decide

    async def run() -> list[Client]:
        hall = Hall(3, server.later, kept.append)
        seen: list[str] = []

        def cutting(line: str) -> None:
            seen.append(line)
            if len(seen) == 40:
                hall.guests["eve"].wire.close()  # type: ignore[union-attr]

        async with server.listening(hall, "127.0.0.1", 0) as port, asyncio.timeout(PATIENCE):
            found = [Client(Plan(name, "pw", 2), decide) for name in FOUR[1:]]
            found.append(Client(Plan("ada", "pw", 2, FOUR[1:]), decide))
            eve = Client(Plan("eve", "pw", 2, watch=ANY), by_lot)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(eve, "127.0.0.1", port, cutting))
                for client in found:
                    tasks.create_task(play(client, "127.0.0.1", port))
        assert len(seen) > 40
        return [*found, eve]

    found = asyncio.run(run())
    assert len(kept) == 2
    assert [client.errors for client in found] == [[]] * 5
    assert all([r.id for r in client.finished] == ["1", "2"] for client in found)


def test_a_table_of_five_is_none() -> None:
    with pytest.raises(InputError, match="a table has 4 seats"):
        Plan("ada", "pw", invite=("a", "b", "c", "d"))


# -- cards that are shown ----------------------------------------------------------------------------------------------


def test_cards_that_are_shown_prove_nothing_and_the_game_goes_on() -> None:
    """All see what the declarer has left; the record tells it, and is that of the game as it ended."""
    company = Company(by_lot, games=1, seed=2, lookers=("eve",))
    hall, shown = company.hall, ""
    for _ in playing(company):
        game = company.board()
        if shown or game.table.tricks is None or len(game.table.tricks.tricks) < 2 or game.table.tricks.table:
            continue
        declarer = game.order[game.table.contract.declarer]
        left = game.table.hands[game.table.contract.declarer]
        hall.line(hall.guests[declarer], f"table .1 {declarer} play SC")
        shown = company.wires["eve"].lines[-1]
        assert company.board() is game
        assert " SC." in shown
        assert named([shown]) == left
        hall.line(hall.guests[declarer], f"table .1 {declarer} play SC")
        assert company.wires[declarer].lines[-1].endswith("error play : _already_shown")
    assert shown
    (record,) = company.kept
    assert "SC" in FORMAT.text(record)
    assert SkatRecording(SkatGame()).verify(record) == []
    (again,) = FORMAT.loads(FORMAT.text(record))
    assert again.notes["moves"] == record.notes["moves"]
    assert SkatRecording(SkatGame()).verify(again) == []
