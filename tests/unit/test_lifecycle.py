"""Parts that are told of a game's begin and end, and plugins that listen to deals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.toygame import ToyGame
from tricktake.deal import deal
from tricktake.game import Game
from tricktake.plugins import loaded
from tricktake.records.record import record_of
from tricktake.strategies.player import Player
from tricktake.strategies.random import Random
from tricktake.strategies.strategy import listens, tell
from tricktake.table import Table
from tricktake.tournament import listeners
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat
from tricktake.tournament.seatprocess import Containment, ProcessSeat

DIARY = '''
"""A strategy that keeps a diary in a file, and what it cannot do."""
from tricktake.hookspecs import hookimpl
from tricktake.strategies.random import Random

class Diary(Random):
    def __init__(self, file: str, fails: str = ""):
        self.file, self.fails, self.said = file, fails, 0
    def write(self, *words):
        if words[0] == self.fails:
            raise RuntimeError("no ink")
        with open(self.file, "a") as stream:
            print(*words, file=stream)
    def begin(self, game, seat):
        self.said = 0
        self.write("begin", game, seat)
    def decide(self, view, limit, rng):
        self.said += 1
        return super().decide(view, limit, rng)
    def end(self, result):
        self.write("end", result.view.seat, result.view.phase, sum(result.score.points) == 0, self.said > 0)
    def close(self):
        self.write("close")

@hookimpl
def register_strategies(register):
    register("keeper", Diary)
'''


@pytest.fixture
def diary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> Path:
    plugin = tmp_path / "diary.py"
    plugin.write_text(DIARY)
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(plugin))
    return tmp_path / "diary.txt"


class Harmless(ToyGame):
    """Passed in or not, the points cancel out."""

    def score(self, table: Table):  # type: ignore[no-untyped-def]
        from tricktake.game import Score

        return Score((0, 0, 0))


def played(game: Game, seats: list, number: int = 0):  # type: ignore[no-untyped-def]
    table = Table.start(game, deal(game.layout, 1, number))
    return table, play(table, seats, seed=1, game_id=str(number))


@pytest.mark.parametrize("isolated", [False, True])
def test_a_part_is_told_when_a_game_begins_and_ends(isolated: bool, diary: Path) -> None:
    config = PlayerConfig.from_text(f"diary:keeper(file={diary})")
    seat = ProcessSeat(config, Containment()) if isolated else LocalSeat(config.make, config.limit)
    others = [LocalSeat(Random, config.limit) for _ in range(2)]
    for number in range(2):
        _, faults = played(Harmless(), [seat, *others], number)
        assert not faults
    seat.close()
    once = ["begin toy 0", "end 0 over True True"]
    assert diary.read_text().splitlines() == [*once, *once, "close"]


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("fails", ["begin", "end", "close"])
def test_what_fails_there_is_charged_and_contained(fails: str, isolated: bool, diary: Path) -> None:
    config = PlayerConfig.from_text(f"diary:keeper(file={diary},fails={fails})")
    seat = ProcessSeat(config, Containment()) if isolated else LocalSeat(config.make, config.limit)
    table, faults = played(Harmless(), [seat, *(LocalSeat(Random, config.limit) for _ in range(2))])
    seat.close()
    assert table.over
    assert [(f.seat, f.kind, f.reason) for f in faults] == (
        [] if fails == "close" else [(0, "error", "RuntimeError: no ink")]
    )


def test_every_part_of_a_player_is_told_once(diary: Path) -> None:
    player = Player.from_spec(f"diary:keeper(file={diary})")
    tell(player, "begin", "toy", 2)
    both = Player.from_spec(f"bid=diary:keeper(file={diary}),play=diary:keeper(file={diary})")
    tell(both, "close")
    assert diary.read_text().split() == ["begin", "toy", "2", "close", "close"]
    assert not listens(Player.from_spec("core:random"), "begin")


@pytest.mark.parametrize(
    "spec",
    [
        "core:paranoia(then={})",
        "core:pimc(worlds=2,opening={})",
        "core:ensemble(order=mine,mine=core:paranoia(then={}))",
    ],
)
def test_strategies_inside_options_are_told(spec: str, diary: Path) -> None:
    player = Player.from_spec("play=" + spec.format(f"diary:keeper(file={diary})"))
    assert listens(player, "begin")
    tell(player, "begin", "toy", 2)
    assert diary.read_text().split() == ["begin", "toy", "2"]


LISTENER = """
from tricktake.hookspecs import hookimpl
heard = []
@hookimpl
def deal_begins(id, game):
    heard.append(("{name}", id, game))
@hookimpl
def deal_ends(record, score):
    heard.append(("{name}", record.id, len(record.plays)))
    {then}
"""


def test_plugins_hear_of_every_deal_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_plugins: None
) -> None:
    files = []
    for name, then in (("one", "raise ValueError('deaf')"), ("two", "pass")):
        files.append(tmp_path / f"{name}.py")
        files[-1].write_text(LISTENER.format(name=name, then=then))
    monkeypatch.setenv("TRICKTAKE_PLUGINS", ",".join(map(str, files)))
    import sys

    plugins = loaded()
    shared: list[tuple[str, str, object]] = []
    for name in ("one", "two"):
        monkeypatch.setattr(sys.modules[f"tricktake_local_{name}"], "heard", shared)
    game = Harmless()
    table = Table.start(game, deal(game.layout, 1, 0))
    listeners.begins(table, 1, "d0", ("a", "b", "c"))
    while not table.over:
        table.apply(table.legal()[-1])
    listeners.ends(table, "d0", ("a", "b", "c"))
    plays = len(record_of(table, "d0").plays)
    assert shared == [("one", "d0", "toy"), ("two", "d0", "toy"), ("one", "d0", plays), ("two", "d0", plays)]
    assert plugins.failed == ["plugin 'one': deal_ends failed: ValueError: deaf"]
