"""The example questions, from games to a player that uses what was learned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.examples import EXAMPLES

XSKAT = ROOT / "tests" / "data" / "xskat-500.log.gz"


@pytest.mark.parametrize(
    ("folder", "question", "sources", "game", "player"),
    [
        ("custom_question", "ten", [XSKAT], "skat", "bid=custom_question:bidder(table={}),exchange=skat:rule"),
        ("hearts_question", "keep", ["--play", 40], "hearts", "exchange=hearts_question:passer(table={})"),
    ],
)  # fmt: skip
def test_the_example_learns_and_plays(
    folder: str, question: str, sources: list, game: str, player: str, tmp_path: Path, monkeypatch, cli
) -> None:
    monkeypatch.chdir(EXAMPLES / folder)  # its tricktake.toml adds the plugin
    table = tmp_path / "own.table"
    done = cli("learn", f"{folder}:{question}", *sources, "--out", table, "--json")
    assert done.exit_code == 0, done.stderr
    learned = json.loads(done.stdout)
    assert 0 < learned["won"] < learned["games"]
    assert min(learned["buckets"].values()) > 5
    players = ["--player", f"own={player.format(table)},play={game}:rule", "--player", f"rule={game}:rule"]
    if game == "skat":
        players += ["--player", "random=core:random"]
    options = ("--deals", 1, "--isolate", "no", "--store", tmp_path / "games.jsonl", "--json")
    done = cli("tournament", "--game", game, *players, *options)
    assert done.exit_code == 0, done.stderr
    assert not any(
        row["faults"] for row in map(json.loads, (tmp_path / "games.jsonl").read_text().splitlines()) if "id" in row
    )
