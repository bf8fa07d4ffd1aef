"""The Crew: missions worked out by its booklet (T. Sing, The Crew: The Quest for Planet Nine, Kosmos 2019), a twin."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.players.the_crew import Bidder
from tricktake_parlour.the_crew.cards import DECK
from tricktake_parlour.the_crew.flight import Flight
from tricktake_parlour.the_crew.game import BOARDS, TheCrew
from tricktake_parlour.the_crew.missions import MISSIONS

from plugins.parlour.tests.parlour_tables import Twin, play_along
from plugins.parlour.tests.parlour_tables import run as cards_of
from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.errors import IllegalAction
from tricktake.search.opencard import solve
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy
from tricktake.tournament.config import Config
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.report import report
from tricktake.tournament.run import run

# A colour each, and a rocket each: seat 2 commands and takes every trick it leads, but for rockets.
HANDS = " | ".join(
    f"{cards_of(colour, '123456789')} R{rocket}" for colour, rocket in zip("BGPY", (1, 2, 4, 3), strict=True)
)


def flight(mission: int, tasks: str = "-/-/-/-", sick: int = -1, cards: str = "") -> Table:
    """A mission with these tasks, and cards played."""
    game = TheCrew(mission)
    text = f"{mission}:2:{tasks}" + f":{sick}" * (sick >= 0)
    table = Table.at_contract(game, Deal.from_text(game.layout, HANDS), game.contract(text))
    for card in cards.split():
        table.apply(game.parse(card, table))
    return table


P = "P9 Y1 B9 G1 "  # seat 2 wins a trick with these
Q = "P8 Y2 B8 G2 "
R3 = "P7 R3 B1 G3 "  # seat 3 takes a trick from it


@pytest.mark.parametrize(
    ("mission", "tasks", "cards", "success"),
    [
        (1, "-/-/B9/-", P, True),
        (1, "-/-/-/B9", P, False),  # won by another seat
        (1, "-/-/B8/-", P, None),
        (2, "-/-/B9,Y2/-", P, None),
        (2, "-/-/B9,Y2/-", P + Q, True),
        (3, "-/-/B9#1,Y2#2/-", P + Q, True),
        (3, "-/-/B9#2,Y2#1/-", P, False),  # the second before the first
        (3, "-/-/B9#2,Y1#1/-", P, True),  # both in one trick
        (4, "-/-/B9,Y2/B1", P + Q + R3, True),
        (6, "-/-/B9#>>,Y2#>,G3/-", P, False),
        (6, "-/-/B9#>,Y2#>>,G2/-", P + Q, True),
        (6, "-/-/G1,Y2#>>,B8#>/-", P + Q, True),
        (7, "-/-/B9#last,Y2,G2/-", P, False),
        (7, "-/-/B9,Y1,B8#last/-", P + Q, True),
        (8, "-/-/B9#1,Y2#2/B1#3", P + Q + R3, True),
        (8, "-/-/B9#1,Y2#3/B1#2", P + Q, False),
        (10, "-/-/P9,Y1,B9/B1", P, None),
        (10, "-/-/P9,Y1,B9/B1", P + R3, True),
    ],
)
def test_tasks(mission: int, tasks: str, cards: str, success: bool | None) -> None:
    table = flight(mission, tasks, cards=cards)
    assert table.game.outcome(table) is success
    assert table.over is (success is not None)
    if success is not None:
        assert table.score().points == (int(success),) * 4


def test_the_sick_one_wins_nothing() -> None:
    assert flight(5, sick=3, cards=P).game.outcome(flight(5, sick=3, cards=P)) is None
    table = flight(5, sick=3, cards=P + R3)
    assert table.over
    assert table.score().points == (0, 0, 0, 0)
    table = flight(5, sick=0)
    while not table.over:
        table.apply(table.legal()[-1])
    assert table.score().points == (int(table.tricks.won[0] == 0),) * 4


def test_a_one_must_win_a_trick() -> None:
    """With nothing but the one of pink left in front of cards of other colours."""
    cards = "".join(f"P{n} Y{10 - n} B{n} G{10 - n} " for n in range(9, 1, -1))
    table = flight(9, cards=cards)
    assert table.game.outcome(table) is None
    table.apply(table.game.parse("P1", table))
    for card in ("Y9", "B1", "G9"):
        table.apply(table.game.parse(card, table))
    assert table.score().points == (1, 1, 1, 1)
    lost = flight(9, cards=cards + "R4 R3 R1 R2 P1")
    for _ in range(3):
        lost.apply(lost.legal()[0])
    assert lost.over
    assert lost.score().points == (1, 1, 1, 1)  # the last trick: the one of pink is led and wins


def test_the_commander_says_so_takes_the_first_task_and_leads() -> None:
    game = TheCrew(10)
    table = Table.start(game, Deal.from_text(game.layout, HANDS), 7)
    assert table.turn == 2
    assert table.view(0).known[2] == DECK.card("R4").mask
    takers = []
    while table.tricks is None:
        takers.append(table.turn)
        table.apply(table.legal()[0])
    assert takers == [2, 3, 0, 1]
    assert table.turn == 2


def test_boards_draw_different_tasks_without_rockets() -> None:
    game = TheCrew(8)
    deal = Deal.from_text(game.layout, HANDS)
    drawn = {tuple(action.value for action in Table.start(game, deal, board).legal()) for board in range(BOARDS)}
    assert len(drawn) == BOARDS
    first = [task.partition("#") for tasks in drawn for task in tasks]
    assert {token for _, _, token in first} == {"1", "2", "3"}
    assert len({card for card, _, _ in first}) == 36


def test_the_radio() -> None:
    """Once each, between tricks, the highest, lowest or only card of a colour; never a rocket."""
    table = flight(4, "-/-/B9,Y2/B1")
    offers = [action.to_text(DECK) for action in table.view(0).interruptions]
    assert offers == ["tell:highest B9", "tell:lowest B1"]
    table.apply(Action("tell", "highest", (DECK.card("B9").index,)), 0)
    assert table.view(1).known[0] == DECK.card("B9").mask
    assert table.view(0).interruptions == ()
    table.apply(table.game.parse("P9", table))
    assert table.view(3).interruptions == ()
    with pytest.raises(IllegalAction):
        table.apply(Action("tell", "highest", (DECK.card("Y9").index,)), 3)
    silent = flight(6, "-/-/B9#>,Y2#>>,G2/-")
    assert [action.value for action in silent.view(0).interruptions] == ["card", "card"]


def test_what_is_told_is_known() -> None:
    game = TheCrew(1)
    text = HANDS.replace("B9", "?").replace("G9", "B9").replace("?", "G9")
    table = Table.at_contract(game, Deal.from_text(game.layout, text), game.contract("1:2:-/-/P9/-"))
    table.apply(Action("tell", "highest", (DECK.card("B8").index,)), 0)
    table.apply(Action("tell", "only", (DECK.card("B9").index,)), 1)
    excluded = dict(table.view(3).excluded)
    assert excluded[0] == DECK.card("B9").mask
    assert excluded[1] == DECK.of_suit_mask("B") & ~DECK.card("B9").mask


class CrewTwin(Twin):
    ranks = "0123456789"


def twin_success(mission: int, text: str, tricks: list[tuple[int, list[str]]], all_played: bool) -> bool | None:
    """The missions one by one, by lists of names."""
    parts = text.split(":")
    if mission == 5:
        lost = any(winner == int(parts[3]) for winner, _ in tricks)
        return False if lost else (True if all_played else None)
    if mission == 9:
        for _, cards in tricks:
            led = [c for c in cards if c[0] == cards[0][0]]
            if cards[0][1] == "1" and len(led) == 1 and not any(c[0] == "R" for c in cards):
                return True
        return False if all_played else None
    tasks = {}
    for seat, words in enumerate(parts[2].split("/")):
        for word in words.split(","):
            if word != "-":
                card, _, token = word.partition("#")
                tasks[card] = (seat, token)
    done: list[list[str]] = []
    for winner, cards in tricks:
        now = [card for card in cards if card in tasks]
        if any(tasks[card][0] != winner for card in now):
            return False
        done.append(now)
    order = [card for now in done for card in now]
    for n, now in enumerate(done):
        earlier = [card for before in done[:n] for card in before]
        for card in now:
            token = tasks[card][1]
            if token.isdecimal() and not len(earlier) < int(token) <= len(earlier) + len(now):
                return False
            if token == "last" and len(earlier) + len(now) < len(tasks):
                return False
            if token == ">>" and not any(tasks[c][1] == ">" for c in earlier + now):
                return False
    return True if len(order) == len(tasks) else None


@given(st.integers(0, 1 << 30), st.integers(1, 10), st.sampled_from([4, 5]))
def test_a_slow_twin_agrees(number: int, mission: int, players: int) -> None:
    game = TheCrew(mission, players)
    table, twin = play_along(
        game, number, lambda table, hands: CrewTwin(hands, table.contract.commander, "R"), number % BOARDS
    )
    assert twin is not None
    over = not any(twin.hands)
    expected = twin_success(mission, str(table.contract), twin.tricks, over)
    assert expected is not None
    assert table.score().points == (int(expected),) * players
    if len(twin.tricks) > 1:  # it was not decided before
        assert twin_success(mission, str(table.contract), twin.tricks[:-1], False) is None


@pytest.mark.kernel
def test_the_solver_refuses() -> None:
    state = flight(1, "-/-/B9/-").open_cards()
    with pytest.raises(ValueError, match="do not say which tasks are done"):
        solve(state, 0)


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    for text in ("4:2:B3,Y1/-/G7/-", "3:0:B3#1/-/-/Y1#2", "5:1:-/-/-/-:3"):
        read = TheCrew(int(text[0])).contract(text)
        assert isinstance(read, Flight)
        assert str(read) == text
    for text in ("4:2:B3/-/G7", "3:2:-/-/-/-", "x"):
        with pytest.raises(ValueError, match=r"not|invalid|unpack"):
            TheCrew(4).contract(text)
    for options in ({"mission": 11}, {"players": 3}):
        with pytest.raises(ValueError, match="missions 1 to 10"):
            TheCrew(**options)


def test_conformance() -> None:
    for mission in (4, 5, 6, 9):
        check_game(TheCrew(mission), deals=1).require()
    check_game(TheCrew(10, players=5), deals=1).require()
    for mission in range(1, len(MISSIONS) + 1):
        check_strategy(Bidder(), TheCrew(mission), deals=1).require()


def test_a_tournament_seats_one_player_at_all_seats(tmp_path: Path) -> None:
    specs = {"a": "core:random", "b": "parlour:the_crew"}
    players = tuple(PlayerConfig.from_text(spec, name=name) for name, spec in specs.items())
    config = Config("the_crew(mission=2)", players, deals=6, isolate="no")
    row = report(config, run(config, tmp_path / "crew.jsonl").values()).as_row()
    assert row["games"] == 12
    assert set(row["ratings"]) == {"a", "b"}
