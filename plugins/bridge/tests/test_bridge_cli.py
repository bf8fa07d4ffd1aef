"""Bridge at the command line: solve, verify, convert."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numba
import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from plugins.bridge.tests.bridge_tables import random_deal, random_record
from tricktake.cli.replay import kept
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.records.formats import write
from tricktake.records.record import GameRecord
from tricktake.tournament.replay import decisive, keeps, needed_roles

SAMPLE = Path(__file__).parent / "data" / "dds-10.dds"
AFTER = 28

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="so much search needs compiled kernels")


def cli(*args: object) -> Result:
    from tricktake.cli.main import main

    return CliRunner().invoke(main, [str(arg) for arg in args])


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Contracts that were played, and a deal that was passed in."""
    rng = random.Random(11)
    found = [record for number in range(12) if (record := random_record(rng, number)).contract is not None][:4]
    found.append(evolve(found[0], id="5", before=None, contract=None, plays=(), result={"passed": True}))
    path = tmp_path / "games.pbn"
    write(found, path)
    return path


@needs_jit
def test_contracts_are_solved_after_recorded_cards(games: Path) -> None:
    values = rows(cli("solve", "bridge", games, "--json", "--after", AFTER))
    cards = rows(cli("solve", "bridge", games, "--json", "--cards", "--after", AFTER))
    assert len(values) == len(cards) == 5
    assert values[-1] == cards[-1] == {"id": "5", "passed": True}
    for value, card in zip(values[:-1], cards[:-1], strict=True):
        assert value["value"] == card["value"]
        assert value["win"] == card["win"]
        assert value["value"] in card["cards"].values()
    assert "passed in" in cli("solve", "bridge", games, "--after", AFTER).stdout


def test_what_cannot_be_solved_is_refused(games: Path, tmp_path: Path) -> None:
    short = cli("solve", "bridge", games, "--after", 52 + 1)
    assert short.exit_code == 1
    assert "52 cards are recorded, not 53" in short.stderr
    bare = tmp_path / "bare.pbn"
    write([GameRecord("bridge", "1", random_deal(random.Random(2)))], bare)
    result = cli("solve", "bridge", bare, "--nodes", 1000, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    for option in ("--win", "--after=1"):
        result = cli("solve", "bridge", bare, option)
        assert result.exit_code == 1
        assert "no contract is recorded" in result.stderr


def test_the_list_is_verified_and_converted(tmp_path: Path) -> None:
    result = cli("verify", "bridge", SAMPLE, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["agree"] == 10
    assert cli("convert", SAMPLE, tmp_path / "a.pbn").exit_code == 0
    assert cli("convert", tmp_path / "a.pbn", tmp_path / "a.jsonl").exit_code == 0
    assert cli("convert", tmp_path / "a.jsonl", tmp_path / "a.dds").exit_code == 0
    assert (tmp_path / "a.dds").read_text() == SAMPLE.read_text()


def test_a_replay_keeps_what_bridge_has() -> None:
    game = find_game("bridge")
    assert keeps(game) == ("auction",)
    assert decisive(game) == {"auction"}
    assert needed_roles(game, frozenset({"auction"})) == ("play",)
    assert needed_roles(game, frozenset()) == ("bid", "play")
    with pytest.raises(InputError, match="bridge has no 'skat'; it offers auction, none"):
        kept("skat", keeps(game), "bridge")
