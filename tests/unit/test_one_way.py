"""One way from a deal to what is said of its record, and one answer to who plays with whom."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from tests.tournaments import PLUGINS
from tricktake.alliance import DECLARER, UNKNOWN
from tricktake.cards import bits
from tricktake.deal import deal
from tricktake.errors import IllegalAction, InputError, PluginError
from tricktake.game import Game, find_game
from tricktake.plugins import manager
from tricktake.records.formats import get_format
from tricktake.records.record import GameRecord, record_of
from tricktake.records.recording import Recording
from tricktake.records.solving import analyse, solve_record
from tricktake.records.verify import AGREE, compare
from tricktake.rules import Aim, TrickRules
from tricktake.search.opencard import wins
from tricktake.search.problem import Problem
from tricktake.table import Table
from tricktake.tournament.config import Config
from tricktake.tournament.match import DealTask, MatchWorker
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.replay import ReplayWorker
from tricktake.view import View

ROOT = Path(__file__).resolve().parents[2]
FILES = ("examples/oh_pshaw/tricktake_oh_pshaw.py", "tests/calledace.py")


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", ",".join([PLUGINS, *(str(ROOT / file) for file in FILES)]))


def walk(game: Game, number: int) -> tuple[Table, GameRecord]:
    """Deal -> table -> record, played by chance."""
    rng = np.random.default_rng([17, number])
    table = Table.start(game, deal(game.layout, 17, number), number % game.boards)
    while not table.over:
        legal = table.legal()
        table.apply(legal[int(rng.integers(len(legal)))])
    return table, record_of(table, str(number))


def test_every_game_walks_from_the_deal_to_the_comparison() -> None:
    """Deal -> table -> record -> text -> record -> verify, by one function for all games there are."""
    names = manager().games.names()
    assert {"toy", "oh_pshaw", "called_ace"} <= set(names)
    form = get_format("jsonl")
    for name in names:
        game = find_game(name)
        played = 0
        for number in range(12):
            table, record = walk(game, number)
            (read,) = form.loads(form.text(record))
            assert compare(game, read).status == AGREE, (name, number, compare(game, read).reason)
            assert Recording.of(game).score(read) == table.score()
            assert Recording.of(game).finished(read).contract == table.contract
            wrong = [points + 1 for points in table.score().points]
            claims = evolve(read, result={**read.result, "points": wrong})
            assert compare(game, claims).status != AGREE, (name, number)
            if table.tricks is not None:
                played += 1
                problem = Recording.of(game).problem(read)
                assert problem.state.hands == read.table_at_play(game).tricks.hands
        assert played, name


def called(n: int, name: str = "called_ace") -> list[tuple[Table, GameRecord]]:
    games = (walk(find_game(name), number) for number in range(n))
    return [(table, record) for table, record in games if table.contract is not None]


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["called_ace", "allied"])
def test_replay_solve_analyse_and_given_contracts_know_the_secret_partner(name: str) -> None:
    game = find_game(name)
    replay = ReplayWorker(
        Config(name, (PlayerConfig.from_text("core:random"),), isolate="no"),
        frozenset({"auction", "contract", "skat"}),
    )
    players = tuple(PlayerConfig.from_text("core:random", name=letter) for letter in "ab")
    match = MatchWorker(Config(name, players, mode="contracts", deals=1, isolate="no"))
    found = called(60, name)
    answers = []
    for table, record in found:
        contract = table.contract
        assert contract is not None
        partner = next(s for s in range(4) if table.deal.masks[s] & contract.ace_mask)
        solved = solve_record(game, record, "win").facts["win"]
        value = solve_record(game, record).facts["value"]
        steps = analyse(game, record)
        (row,) = replay((record,))
        assert (row.open, row.open_ours, steps[0].before) == (solved, solved, value)
        assert solved == (value >= 3)
        assert row.record == table.score().won == (steps[-1].after >= 3)
        first, second = match(DealTask(0, (0, 1), record))
        assert [seat for seat in range(4) if first["players"][seat] == 0] == sorted({contract.declarer, partner})
        assert [1 - player for player in first["players"]] == second["players"]
        start = record.table_at_play(game)
        alone = start.open_cards()
        alone.rules = find_game("called_ace").rules(start)
        answers.append((solved, bool(wins(alone, contract.declarer))))
    assert {solved for solved, _ in answers} == {True, False}
    assert (True, False) in answers  # without the partner the declarer would have been said to lose


def test_open_cards_leave_the_table_as_it_is() -> None:
    table, record = next(found for found in called(10))
    game, contract = table.game, table.contract
    assert contract is not None
    start = record.table_at_play(game)
    assert start.tricks is not None
    state = start.open_cards()
    assert state.rules.side_mask(contract.declarer).bit_count() == 2
    assert start.tricks.rules.side_mask(contract.declarer).bit_count() == 1
    state.play(next(bits(state.legal_cards_mask())))
    assert not start.tricks.table
    assert all(view.rules == start.tricks.rules for view in map(start.view, range(4)))
    with pytest.raises(IllegalAction, match="not begun"):
        Table.start(game, table.deal).open_cards()
    with pytest.raises(InputError, match="no tricks to play"):
        Problem.of(Table.start(game, table.deal))


def test_a_recording_that_is_none_is_refused() -> None:
    game = type("Wrong", (type(find_game("toy")),), {"recording": int})()
    with pytest.raises(PluginError, match="no subclass of Recording"):
        Recording.of(game)


def test_a_game_says_what_bids_rule_out_without_being_told_the_secret_partner() -> None:
    """What a game answers to a view gets into that view, so it must not see more there than the seat does."""
    asked: list[tuple[int, tuple[int, ...]]] = []
    kind = type(find_game("allied"))

    class Asked(kind):  # type: ignore[misc, valid-type]
        def excluded(self, view: View) -> dict[int, int]:
            if view.rules is not None:
                asked.append((view.seat, view.rules.teams))
            return {}

        def aims(self, contract: object, rules: TrickRules, seat: int) -> tuple[Aim, ...]:
            asked.append((seat, rules.teams or ()))
            return ()

    for table, record in called(12, "allied"):
        start = record.table_at_play(Asked())
        contract = table.contract
        partner = next(seat for seat in range(4) if table.deal.masks[seat] & contract.ace_mask)
        for seat in {*range(4)} - {contract.declarer, partner}:
            asked.clear()
            assert start.view(seat).rules.teams[partner] == UNKNOWN
            assert [teams[partner] for who, teams in asked if who == seat] == [UNKNOWN, UNKNOWN]
        asked.clear()
        assert start.view(partner).rules.teams[partner] == DECLARER
        assert {teams[partner] for _, teams in asked} == {DECLARER}
