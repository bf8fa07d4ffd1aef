"""The outer loop: alignment, batches, resuming."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from tests.unit.test_learning import toy  # noqa: F401
from tricktake.errors import InputError
from tricktake.learning import align
from tricktake.learning import outer as module
from tricktake.learning.outer import OuterLoop
from tricktake.learning.outerconfig import OuterConfig, from_mapping, read_config
from tricktake.learning.selfplay import self_play, with_tables
from tricktake.learning.table import LearnedTable

HAND = "toylearning:hand"
QUESTIONS = [HAND, "toylearning:leader"]


def same(value):
    return value


def papers_loop(deals: list[int], games: list[int]) -> list[int]:
    """The loop as it was printed: on a mismatch both move on."""
    out, offset = [], 0
    for place, game in enumerate(games):
        if place + offset >= len(deals):
            break
        if game != deals[place + offset]:
            offset += 1
            continue
        out.append(game)
    return out


def test_a_passed_in_deal_does_not_cost_the_next_game() -> None:
    """OUTER-8: the printed loop drops the game after each deal that was passed in."""
    deals, games = [1, 2, 3, 4, 5, 6], [1, 3, 4, 6]
    assert papers_loop(deals, games) != games
    assert list(align(deals, games, same, same)) == [(game, game) for game in games]


def test_alignment_refuses_a_game_without_a_deal() -> None:
    for games in ([7], [3, 2], [2, 2]):
        with pytest.raises(InputError, match=r"game \d: no deal with the id \d is left"):
            list(align([1, 2, 3], games, same, same))
    assert list(align([1, 2], [], same, same)) == []


@pytest.fixture
def config(toy) -> OuterConfig:  # noqa: F811
    data = {"questions": QUESTIONS, "games": 40, "batches": 2, "seed": 3}
    return from_mapping({**data, "judge_games": 30, "judge_seed": 4, "open_card": 10})


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_batch_is_played_with_the_tables_before_it(config: OuterConfig, tmp_path: Path) -> None:
    results = list(OuterLoop(config, tmp_path / "a").run())
    assert [r["batch"] for r in results] == [0, 1, 2]
    assert [r["games"] for r in results] == [0, 40, 80]
    question = config.found()[HAND]
    files = [tmp_path / "a" / f"batch-{n:03}" / "toylearning-hand.table" for n in range(3)]
    tables = [LearnedTable.load(file, question) for file in files]
    assert [table.games for table in tables] == [r["learned"][HAND]["games"] for r in results]
    # The second batch was played with the first one's tables: self-play of the toy game is choosier then.
    path = {HAND: tmp_path / "a" / "batch-001" / "toylearning-hand.table"}
    choosy = sum(len(block) for block in self_play(question.rows, 3, 40, 40, path))
    anybody = sum(len(block) for block in self_play(question.rows, 3, 40, 40))
    assert tables[2].games - tables[1].games == choosy < anybody
    judged = results[2]["judged"][HAND]
    assert judged["cells"] is not None
    assert sum(judged["cells"]) == min(10, judged["games"])
    assert judged["accuracy"] == pytest.approx((judged["cells"][0] + judged["cells"][3]) / sum(judged["cells"]))
    assert judged["win_rate"] == pytest.approx(judged["won"] / judged["games"], abs=1e-6)
    assert judged["answered"] == judged["games"]
    lines = (tmp_path / "a" / "curves.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == results


def test_a_loop_that_was_stopped_ends_with_the_same_bytes(config: OuterConfig, tmp_path: Path, monkeypatch) -> None:
    list(OuterLoop(config, tmp_path / "whole").run())
    played = 0

    def stop(games: int) -> None:
        nonlocal played
        played += 1
        if played == 3:  # in the midst of the first batch
            raise KeyboardInterrupt

    monkeypatch.setattr("tricktake.learning.selfplay.BLOCK", 16)
    with pytest.raises(KeyboardInterrupt):
        list(OuterLoop(config, tmp_path / "stopped").run(stop))
    assert not (tmp_path / "stopped" / "batch-001").exists()
    list(OuterLoop(evolve(config, batches=1), tmp_path / "stopped", jobs=2).run())
    list(OuterLoop(config, tmp_path / "stopped").run())
    assert files(tmp_path / "stopped") == files(tmp_path / "whole")
    with pytest.raises(InputError, match=r"config\.json: seed: is another loop's"):
        list(OuterLoop(evolve(config, seed=9), tmp_path / "stopped").run())


def test_two_processes_do_not_share_a_loop(config: OuterConfig, tmp_path: Path) -> None:
    first = OuterLoop(config, tmp_path).run()
    next(first)
    with pytest.raises(InputError, match="another process works on this loop"):
        next(OuterLoop(config, tmp_path).run())
    first.close()
    assert next(OuterLoop(config, tmp_path).run())["batch"] == 0


def test_a_player_is_given_the_tables_so_far(config: OuterConfig, tmp_path: Path) -> None:
    player = f"bid=toylearning:bidder(table=@{HAND}),play=core:random"
    learner = evolve(config, player=player, games=20, judge_games=20, open_card=0)
    results = list(OuterLoop(learner.check(None), tmp_path / "a").run())
    assert results[0]["judged"][HAND]["games"] == 0  # without a table nobody names trumps
    base = from_mapping({"questions": [HAND], "games": 200, "batches": 1, "seed": 8})
    list(OuterLoop(base, tmp_path / "base").run())
    table = str(tmp_path / "base" / "batch-001" / "toylearning-hand.table")
    learner = evolve(learner, questions=(HAND,), base={HAND: table}, weight=2.0)
    results = list(OuterLoop(learner.check(None), tmp_path / "b").run())
    assert results[0]["learned"][HAND]["games"] == 2 * LearnedTable.load(table).games
    assert results[1]["learned"][HAND]["games"] > results[0]["learned"][HAND]["games"]
    with pytest.raises(InputError, match="player: no table for 'toylearning:other'; known: toylearning:hand"):
        with_tables("bid=a:b(table=@toylearning:other)", {HAND: "x"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("questions = [", "outer.toml"),
        ("games = 1\nbatches = 1", "questions: is missing"),
        ("question = 1", "question: unknown; known: questions, games"),
        ('questions = "a"\ngames = 1\nbatches = 1', "questions: must be a list"),
        (f"questions = ['{HAND}']\ngames = 0\nbatches = 1", "games: must be at least 1"),
        (f"questions = ['{HAND}']\ngames = 1\nbatches = 1\njudge_games = 5\njudge_seed = 0", "judge_seed: must not"),
        (f"questions = ['{HAND}']\ngames = 1\nbatches = 1\n[base]\nx = 'a.table'", "base.x: is none of the questions"),
        (f"questions = ['{HAND}']\ngames = 1\nbatches = 1\n[base]\n'{HAND}' = 'a/b.table'", "a/b.table: No such file"),
        (f"questions = ['{HAND}']\ngames = 1\nbatches = 1\nplayer = 'core:rondom'", "player: unknown strategy"),
        (f"questions = ['{HAND}']\ngames = 1\nbatches = 1\nworlds = -1", "worlds, nodes"),
    ],
)
def test_a_bad_configuration_names_the_field(toy, tmp_path: Path, text: str, message: str) -> None:  # noqa: F811
    file = tmp_path / "outer.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_config(file)


def test_the_command_draws_the_curves_and_says_how_to_resume(toy, tmp_path, cli, monkeypatch) -> None:  # noqa: F811
    pytest.importorskip("matplotlib")
    config = tmp_path / "loop.toml"
    config.write_text(f"questions = ['{HAND}']\ngames = 20\nbatches = 1\njudge_games = 10\nopen_card = 5\n")
    make = OuterLoop._make
    with monkeypatch.context() as patch:
        patch.setattr(OuterLoop, "_make", lambda *args: (_ for _ in ()).throw(KeyboardInterrupt))
        done = cli("outer-learn", config)
        assert done.exit_code == 130
        assert f"tricktake outer-learn {config} --out {tmp_path / 'loop'} --jobs 1" in done.stderr
    assert OuterLoop._make is make
    done = cli("outer-learn", config)
    assert done.exit_code == 0, done.stderr
    assert "as open cards" in done.stdout
    curves = [tmp_path / "loop" / name for name in ("curves.png", "curves.svg")]
    before = [file.read_bytes() for file in curves]
    assert cli("outer-learn", config).exit_code == 0
    assert [file.read_bytes() for file in curves] == before
    assert module.CURVES in [file.name for file in (tmp_path / "loop").iterdir()]
