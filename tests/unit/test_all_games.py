"""Every game there is goes the whole way: dealt, checked with every family of its contracts, in a tournament of three
strategies, played at the terminal, recorded, verified and solved (or refused), each by the command a user types.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click.testing
import numpy as np
import pytest

from tricktake.cli.main import main
from tricktake.deal import deal
from tricktake.game import Game, find_game, front_game
from tricktake.plugins import manager
from tricktake.records.formats import read
from tricktake.steering import matches
from tricktake.strategies.player import ANY, Player, default_spec, game_roles
from tricktake.table import Table

SEED = 5
DEALS = 8  # of a check, besides those of contracts that are forced
LAST = 12  # cards that are left when a record is solved
ASIDE = ("help", "show", "history", "no such thing", "", "play")  # typed between the actions


def players(game: Game, open_cards: bool) -> list[str]:
    """Three strategies: by lot, the game's own bidder with sampling, and a bidder by lot with playouts; where the rules
    do not say enough for these two (The Crew), the cards are played by lot.
    """
    roles = [role for role in game_roles(game) if role != "play"]
    specs = Player.from_spec(default_spec(game)).specs
    own = [f"{role}={specs.get(role) or specs[ANY]}" for role in roles]
    lot = [f"{role}=core:random" for role in roles]
    cards = ("core:pimc(worlds=2)", "core:playout(worlds=2)") if open_cards else ("core:random", "core:random")
    return [
        "lot=core:random",
        "own=" + ",".join([*own, f"play={cards[0]}"]),
        "playout=" + ",".join([*lot, f"play={cards[1]}"]),
    ]


def typed(game: Game, number: int) -> tuple[list[str], Table]:
    """What somebody types who plays all seats by lot, and the table at the end."""
    rng = np.random.default_rng([SEED, number])
    table = Table.start(game, deal(game.layout, SEED, number), number % game.boards)
    lines = []
    while not table.over:
        legal = table.legal()
        action = legal[int(rng.integers(len(legal)))]
        if rng.random() < 0.1:
            lines.append(ASIDE[int(rng.integers(len(ASIDE)))])
        text = action.to_text(game.layout.deck)
        table.apply(action)
        lines += [text, "undo", text] if rng.random() < 0.05 and not table.over else [text]
    return lines, table


def assert_it_conforms(game: Game, cli: Callable[..., click.testing.Result]) -> None:
    """Every check is made, with every family of contracts."""
    done = cli("check", game.name, "--deals", DEALS, "--seed", SEED, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["ok"]
    assert all(check["count"] for check in report["checks"])
    for kind in game.kinds:
        assert any(matches(met, kind) for met in report["kinds"]), kind


@pytest.mark.parametrize("name", manager().games.names())
def test_the_whole_way(name: str, cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = find_game(name)

    dealt = cli("deal", name, "--contract", "*", "--seed", SEED, "--json")
    assert dealt.exit_code == 0, dealt.stderr
    (tmp_path / "dealt.jsonl").write_text(dealt.stdout)
    (begun,) = read(tmp_path / "dealt.jsonl", name)
    assert begun.table_at_play(game).tricks is not None
    assert_it_conforms(game, cli)

    lines, table = typed(game, 1)
    open_cards = table.tricks is None or not table.tricks.rules.unsaid
    chosen = [word for player in players(game, open_cards) for word in ("--player", player)]
    rows = ",".join("".join("ABC"[(seat + first) % 3] for seat in range(game.seats)) for first in (0, 1))
    small = ("--deals", 1, "--worlds", 2, "--nodes", 2_000, "--isolate", "no", "--strict", "--json")
    seats = () if game.teams else ("--seatings", rows)
    match = cli("tournament", "--game", name, *chosen, *seats, *small, "--store", tmp_path / "games.jsonl")
    assert match.exit_code == 0, match.output
    result = json.loads(match.stdout)
    assert {row["name"] for row in result["players"]} == {"lot", "own", "playout"}

    text = "".join(f"{line}\n" for line in lines)
    done = click.testing.CliRunner().invoke(main, ["play", name, "--alone", "--seed", str(SEED), "--id", "1"], text)
    assert done.exit_code == 0, done.output
    assert "the game is over" in done.stdout
    (record,) = (json.loads(line) for line in Path("play.jsonl").read_text().splitlines())
    assert record["result"]["points"] == list(table.score().points)

    verified = cli("verify", name, "play.jsonl", "--json")
    assert verified.exit_code == 0, verified.output
    if table.tricks is not None:
        after = max(0, sum(" play " in event for event in record["plays"]) - LAST)
        solved = cli("solve", name, "play.jsonl", "--after", after, "--json")
        refused = solved.exit_code == 1 and "refused: " in solved.stderr
        assert refused or "value" in json.loads(solved.stdout), solved.output


def test_the_game_offered_first() -> None:
    front = front_game()
    assert front is not None
    assert front.front
    assert sum(find_game(name).front for name in manager().games.names()) == 1
