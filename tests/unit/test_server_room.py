"""Tables of the server without a network: series, who sits where, clocks, what is stored, what each chair is told."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricktake.action import Action
from tricktake.cards import bits, unsigned
from tricktake.deal import Deal, deal
from tricktake.errors import IllegalAction, InputError
from tricktake.game import find_game
from tricktake.knowledge import Knowledge
from tricktake.messages import Node
from tricktake.records.formats import get_format
from tricktake.records.recording import Recording
from tricktake.server.limits import Limits
from tricktake.server.plan import BOT, OPEN, PERSON, Chair, Plan, by_chair, offered_bots, seating
from tricktake.server.room import BETWEEN, OVER, PLAYING, WAITING, Room
from tricktake.server.store import Game, Store
from tricktake.standings import Standings
from tricktake.table import Table
from tricktake.view import View
from tricktake.worlds import sample

GAMES = ("skat", "bridge", "hearts", "doppelkopf", "schafkopf", "oh_hell(players=5)")


class Handle:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class Fake:
    """A host whose clock and bots act when the test says so."""

    def __init__(self, path: Path | str = ":memory:") -> None:
        self.store = Store(path)
        self.timers: list[tuple[float, Handle]] = []
        self.asked: list[tuple[Room, View, int]] = []

    def name_of(self, account: int) -> str:
        return f"player {account}"

    def is_program(self, account: int) -> bool:
        return account > 9

    def later(self, seconds: float, call: Callable[[], None]) -> Handle:
        self.timers.append((seconds, Handle(call)))
        return self.timers[-1][1]

    def think(self, room: Room, chair: int, spec: str, view: View, seed: int) -> None:
        assert view.legal
        assert room.seat_of(chair) is not None
        self.asked.append((room, view, room.number))

    def ended(self, room: Room) -> None:
        assert room.table is not None

    def changed(self, room: Room) -> None:
        if room.result is not None:
            assert self.store.game(room.result["id"]) is not None, "told before it was stored"

    @property
    def games(self) -> list[Game]:
        return [game for at in range(1, 9) for game in self.store.games_at(at)]

    def tick(self) -> bool:
        """The timers that are set go off."""
        due = [handle.call for _, handle in self.timers if handle.call is not None]
        self.timers.clear()
        for call in due:
            call()
        return bool(due)

    def answer(self, rng: random.Random) -> bool:
        """A bot that was asked acts at random."""
        if not self.asked:
            return False
        room, view, number = self.asked.pop(0)
        room.bot_acts(number, len(view.events), (rng.choice(view.legal), "at random"))
        return True


def room_of(
    host: Fake, game: str, *chairs: Chair, games: int = 2, seconds: float | None = None, deals: str = ""
) -> Room:
    plan = Plan(find_game(game).spec, games, seconds, 5.0, deals, 1)
    number = host.store.add_table(plan.to_json(), [chair.to_json() for chair in chairs], WAITING)
    room = Room(host, number, plan, list(chairs))
    if not any(chair.kind == OPEN for chair in chairs):
        room.next_game()
    return room


def bots(game: str) -> list[Chair]:
    return [Chair(BOT, spec="core:random") for _ in range(find_game(game).chairs)]


def person_acts(room: Room, rng: random.Random) -> bool:
    """Whoever is to act and is a person does so."""
    table = room.table
    if room.state != PLAYING or table is None or table.actor is None:
        return False
    chair = room.seats[table.actor]
    if room.chairs[chair].kind != PERSON or room.chairs[chair].away:
        return False
    room.act(chair, rng.choice(table.view(table.actor).legal), len(table.events))
    return True


def run(host: Fake, room: Room, rng: random.Random, actions: int = 10_000) -> None:
    for _ in range(actions):
        if room.state == OVER:
            return
        if room.state == BETWEEN:
            for chair, sits in enumerate(room.chairs):
                if sits.kind == PERSON:
                    room.wants_next(chair)
        if not (person_acts(room, rng) or host.answer(rng) or host.tick()):
            return


@pytest.mark.parametrize("name", GAMES)
def test_a_series_of_bots(name: str) -> None:
    host = Fake()
    room = room_of(host, name, *bots(name))
    run(host, room, random.Random(name))
    game = find_game(name)
    assert room.state == OVER
    assert len(host.games) == 2
    for number, stored in enumerate(host.games):
        (record,) = get_format("jsonl").loads(stored.record)
        assert Recording.of(game).verify(record) == []
        assert record.deal == deal(game.layout, room.seed, number)
        seats = seating(game, number)
        assert record.players == tuple(stored.players[chair] for chair in seats)
        points = game.table_points(Recording.of(game).score(record))
        assert stored.points == by_chair(game, number, points)
        assert host.store.actions(stored.id) == []
    assert host.store.points_at(room.id) == [stored.points for stored in host.games] == room.points
    assert room.table is not None
    assert room.table.standings == Standings([room.points[0][chair] for chair in seating(game, 1)], 1)


def test_who_sits_where() -> None:
    skat, four, bridge = find_game("skat"), find_game("skat(players=4)"), find_game("bridge")
    assert [seating(skat, n) for n in range(4)] == [(1, 2, 0), (2, 0, 1), (0, 1, 2), (1, 2, 0)]
    assert [seating(four, n) for n in range(2)] == [(1, 2, 3), (2, 3, 0)]  # the dealer sits out
    assert seating(bridge, 3) == (0, 1, 2, 3)
    assert by_chair(four, 1, (1.0, 2.0, 3.0, 4.0)) == (3.0, 4.0, 1.0, 2.0)
    with pytest.raises(ValueError, match="zip"):
        by_chair(four, 1, (1.0, 2.0, 3.0))


def test_skat_at_a_table_of_four() -> None:
    host, rng = Fake(), random.Random(4)
    people = [Chair(PERSON, account) for account in (1, 2, 3, 4)]
    room = room_of(host, "skat(players=4)", *people, games=8)
    message = room.view_message(0)
    assert message is not None
    assert message["seat"] is None
    assert message["view"]["hand"] == []
    with pytest.raises(InputError, match="nothing to decide"):
        room.act(0, room.naming.read_action(Node("pass")), 0)
    run(host, room, rng)
    assert [len(points) for points in room.points] == [4] * 8
    lost = [points for points in room.points if min(points) < 0]
    assert lost
    assert all(sorted(points)[1:] == [30, 30, 30] for points in lost)


def test_people_sit_down_and_get_up() -> None:
    host, rng = Fake(), random.Random(1)
    room = room_of(host, "skat", Chair(PERSON, 1), Chair(), Chair())
    assert room.state == WAITING
    assert room.sit(2, None) == 1
    assert room.sit(2, 2) == 1  # already there
    with pytest.raises(InputError, match="not free"):
        room.sit(3, 0)
    room.leave(1)
    assert room.chairs[1].kind == OPEN
    room.sit(2, 1)
    room.sit(3, 2)
    assert room.state == PLAYING
    for _ in range(5):
        assert person_acts(room, rng)
    room.leave(2)
    assert room.chairs[2].kind == BOT
    run(host, room, rng)
    assert room.state == OVER
    assert [game.accounts for game in host.games] == [(1, 2, 0)] * 2
    assert not any(chair.kind == OPEN for chair in room.chairs)


def test_the_last_who_leaves_ends_it() -> None:
    host = Fake()
    room = room_of(host, "skat", Chair(PERSON, 1), *bots("skat")[1:])
    room.leave(0)
    assert room.state == OVER
    assert host.games == []
    assert list(host.store.tables(OVER)) == []


def test_actions_that_come_too_late_or_from_others() -> None:
    host = Fake()
    room = room_of(host, "skat", *(Chair(PERSON, account) for account in (1, 2, 3)))
    assert room.table is not None
    actor = room.table.actor
    assert actor is not None
    chair, other = room.seats[actor], room.seats[actor - 1]
    bid = room.naming.read_action(Node("bid:18"))
    with pytest.raises(InputError, match="is 3, but 0"):
        room.act(chair, bid, 3)
    with pytest.raises(IllegalAction, match="is to act"):
        room.act(other, bid, 0)
    room.act(chair, bid, 0)
    assert len(room.table.events) == 1
    assert host.store.actions(room.game_id) == [f"{actor} bid:18"]


def test_a_claim_that_was_refused_is_not_asked_again_in_this_game() -> None:
    host, rng = Fake(), random.Random(4)
    room = room_of(host, "skat", *(Chair(PERSON, account) for account in (1, 2, 3)), games=50)
    claim = Action("claim")
    while True:  # until some seat claims what is not so
        run(host, room, rng, 1)
        table = room.table
        if room.state != PLAYING or table is None or table.tricks is None:
            continue
        chair = room.seats[0]
        try:
            room.act(chair, claim, len(table.events))
        except IllegalAction:
            break
    for _ in range(3):
        run(host, room, rng, 1)
        assert room.table is table
        assert not table.over
        with pytest.raises(IllegalAction, match="once a game"):
            room.act(chair, claim, len(table.events))
    room.act(chair, Action("concede"), len(table.events))


def test_a_clock_that_runs_out_and_who_comes_back() -> None:
    host, rng = Fake(), random.Random(2)
    room = room_of(host, "skat", Chair(PERSON, 1), Chair(PERSON, 2), Chair(PERSON, 3), seconds=7.0)
    assert [seconds for seconds, handle in host.timers if handle.call] == [7.0]
    assert room.table is not None
    slow = room.seats[room.table.actor or 0]
    host.tick()
    assert room.chairs[slow].away
    assert len(host.asked) == 1
    assert host.answer(rng)  # a bot decides
    room.come_back(slow)
    assert not room.chairs[slow].away
    run(host, room, rng)
    assert [game.rated for game in host.games] == [False, True]  # the bot helped in the first


def test_a_bot_that_fails_or_answers_late() -> None:
    host, rng = Fake(), random.Random(3)
    room = room_of(host, "skat", *bots("skat"))
    asked, view, number = host.asked.pop()
    asked.bot_acts(number, len(view.events), None)
    assert room.table is not None
    assert len(room.table.events) == 1
    asked.bot_acts(number, len(view.events), (view.legal[0], "again"))  # too late: nothing happens
    assert len(room.table.events) == 1
    asked, view, number = host.asked.pop()
    asked.bot_acts(number, len(view.events), (room.naming.read_action(Node("play CJ")), "illegal"))
    assert len(room.table.events) == 2
    run(host, room, rng)
    assert room.state == OVER


def test_tables_of_one_name_play_the_same_deals() -> None:
    host, rng = Fake(), random.Random(5)
    one, two = (room_of(host, "skat", *bots("skat"), deals="cup", games=1) for _ in range(2))
    other = room_of(host, "skat", *bots("skat"), games=1)
    assert one.table is not None
    assert two.table is not None
    assert other.table is not None
    assert one.table.deal == two.table.deal != other.table.deal
    for _ in range(500):
        if not host.answer(rng):
            host.tick()
    assert {one.state, two.state, other.state} == {OVER}
    result = two.result_message()
    assert result is not None
    assert [row["table"] for row in result["compare"]] == [one.id]
    alone = other.result_message()
    assert alone is not None
    assert alone["compare"] == []


# -- what is kept -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", [0, 1, 7, 20, 33, 45])
def test_a_server_that_was_killed_goes_on(actions: int, tmp_path: Path) -> None:
    """Nothing is closed: what was told before is there in the file."""
    file, rng = tmp_path / "store", random.Random(actions)
    host = Fake(file)
    room = room_of(host, "skat", *(Chair(PERSON, account) for account in (1, 2, 3)), games=3)
    for _ in range(actions):
        if not person_acts(room, rng):
            for chair in range(3):
                room.wants_next(chair)
            host.tick()
    told = told_at(room)
    again = Fake(file)
    ((number, plan, chairs, state),) = again.store.tables(OVER)
    other = Room(again, number, Plan(**plan), [Chair(**chair) for chair in chairs], state)
    other.resume()
    assert told_at(other) == told
    run(again, other, rng)
    assert other.state == OVER
    assert len(again.store.games_at(number)) == 3


def test_a_server_that_was_killed_before_the_first_game_begins_it(tmp_path: Path) -> None:
    """A table is kept before its first game is; one with an open chair goes on waiting."""
    for name, chairs in (("full", 3), ("open", 2)):
        host = Fake(tmp_path / name)
        seats = [Chair(PERSON, account) for account in range(1, chairs + 1)] + [Chair()] * (3 - chairs)
        plan = Plan("skat", 2, None, 5.0, "", 1)
        host.store.add_table(plan.to_json(), [chair.to_json() for chair in seats], WAITING)
        again = Fake(tmp_path / name)
        ((number, stored, kept, state),) = again.store.tables(OVER)
        room = Room(again, number, Plan(**stored), [Chair(**chair) for chair in kept], state)
        room.resume()
        if chairs < 3:
            assert (room.state, room.table) == (WAITING, None)
            continue
        run(again, room, random.Random(1))
        assert room.state == OVER
        assert len(again.store.games_at(number)) == 2


def told_at(room: Room) -> list[str]:
    return [json.dumps([room.about(chair), room.view_message(chair)]) for chair in range(3)]


def test_a_store_of_another_version(tmp_path: Path) -> None:
    import sqlite3

    (tmp_path / "text").write_text("no database at all, but long enough to be read as one" * 20)
    with pytest.raises(InputError, match="is no file of a server"):
        Store(tmp_path / "text")
    db = sqlite3.connect(tmp_path / "later")
    db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(InputError, match="version 99"):
        Store(tmp_path / "later")


# -- what is told -----------------------------------------------------------------------------------------------------


def exchanged(view: View, table: Table, rng: np.random.Generator) -> list[int] | None:
    """Where each card goes in another world that fits what a seat knows; None if there is no other."""
    k, places = Knowledge.from_view(view), [*table.hands, *table.places[table.seats :]]
    seen = table.deal.masks[view.seat]
    for event in view.events:
        seen |= event.action.mask
    for hidden in k.hidden:
        for card in bits(places[hidden.index] & k.unseen & seen):  # it was seen in another place
            k = k.with_card(hidden.index, card)
    if not k.hidden or not k.feasible():
        return None
    world = [unsigned(mask) for mask in sample(k, 1, rng)[0]]
    swap = list(range(len(k.layout.deck)))
    for hidden in k.hidden:
        old, new = places[hidden.index] & k.unseen, world[hidden.index] & k.unseen
        for a, b in zip(bits(old & ~new), bits(new & ~old), strict=True):
            swap[a] = b
    return swap if swap != sorted(swap) else None


@pytest.mark.parametrize("name", GAMES)
def test_a_chair_is_told_its_view_and_nothing_else(name: str) -> None:
    """Every byte for a chair stays the same when cards it cannot see are exchanged; so for who looks on."""
    game, rng, draws = find_game(name), random.Random(name), np.random.default_rng(1)
    host = Fake()
    room = room_of(host, name, *(Chair(PERSON, n) for n in range(1, game.chairs + 1)), games=1)
    compared = 0
    while room.state == PLAYING:
        table = room.table
        assert table is not None
        for seat in range(game.seats) if rng.random() < 0.2 else ():
            swap = exchanged(table.view(seat), table, draws)
            twin = None if swap is None else replayed(table, swap)
            if twin is None or twin.turn != table.turn:  # who holds the two of clubs leads, as all see
                continue
            told = bytes_for(room, room.seats[seat])
            room.table = twin
            assert bytes_for(room, room.seats[seat]) == told
            room.table = table
            compared += 1
        assert person_acts(room, rng)
    assert compared > 3


def bytes_for(room: Room, chair: int | None) -> bytes:
    return json.dumps([room.about(chair), room.view_message(chair, "de"), room.result_message()]).encode()


def replayed(table: Table, swap: list[int]) -> Table | None:
    """The same course of play with other cards, None if the rules do not allow it."""

    def moved(mask: int) -> int:
        return sum(1 << swap[card] for card in bits(mask))

    from attrs import evolve

    twin = Table.start(table.game, Deal(table.deal.layout, tuple(map(moved, table.deal.masks))), table.board)
    try:
        for event in table.events:
            action = evolve(event.action, cards=tuple(swap[card] for card in event.action.cards))
            twin.apply(action, event.seat)
    except IllegalAction:
        return None
    return twin


@pytest.mark.parametrize("name", ["skat", "bridge", "doppelkopf"])
def test_who_looks_on_sees_no_hidden_card(name: str) -> None:
    host, rng = Fake(), random.Random(name)
    room = room_of(host, name, *bots(name), games=1)
    while room.state == PLAYING:
        table, message = room.table, room.view_message(None)
        assert table is not None
        assert message is not None
        view = message["view"]
        assert message["seat"] is None
        assert view["legal"] == view["interruptions"] == view["picked_up"] == []
        open_hands = table.game.shown(table)
        for seat in range(table.seats):
            assert view["known"][str(seat)] == (room.naming.cards(table.hands[seat]) if seat in open_hands else [])
        named = {card for event in view["events"] for card in event["cards"]}
        assert named <= set(room.naming.cards(table.gone)) | set(view["known"].get("talon", []))
        host.answer(rng)


# -- plans and limits -------------------------------------------------------------------------------------------------


def test_plans_that_are_refused() -> None:
    limits = Limits()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"game": "skaat"}, "did you mean"),
        ({"game": "skat", "games": 0}, "from 1"),
        ({"game": "skat", "games": 10_000}, "from 1 to 360"),
        ({"game": "skat", "person_seconds": -1}, "from 0.05"),
        ({"game": "skat", "bot_seconds": "fast"}, "must be a number"),
        ({"game": "skat", "deals": "x" * 100}, "more than 40"),
        ({"game": 7}, "must be text"),
        ({}, "is missing"),
    ]
    for message, reason in wrong:
        with pytest.raises(InputError, match=reason):
            Plan.from_json(Node(message), limits, 1)
    plan = Plan.from_json(Node({"game": "skat"}), limits, 1)
    assert (plan.games, plan.person_seconds, plan.bot_seconds) == (36, None, 5.0)
    assert Plan(**plan.to_json()) == plan


def test_clients_name_bots_but_no_strategies() -> None:
    """A strategy's options could name files or commands."""
    offered = offered_bots(find_game("skat"))
    assert offered["quick"] == "skat:rule"
    assert Chair.asked(Node("quick"), offered) == Chair(BOT, spec="skat:rule")
    for name in ("core:random", "core:policy(policy=/etc/passwd)", ""):
        with pytest.raises(InputError, match="no bot"):
            Chair.asked(Node(name), offered)
