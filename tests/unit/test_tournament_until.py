"""The sequential test: its error rates, its likelihood ratio, and tournaments that stop by it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import click.testing
import numpy as np
import pytest
from scipy import optimize, stats

from tests.tournaments import PLUGINS, toy
from tricktake.errors import InputError
from tricktake.tournament import sequential
from tricktake.tournament.report import report_of_store
from tricktake.tournament.run import run
from tricktake.tournament.sequential import LEAST, Until, Walk

UNTIL = Until("a", "b", 0.0, 1.0)


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


def likelihood(values: np.ndarray, mean: float) -> float:
    """The greatest log likelihood of normal values of this mean, searched over the deviation."""
    found = optimize.minimize_scalar(
        lambda log: -stats.norm.logpdf(values, mean, math.exp(log)).sum(),
        bounds=(-5, 5),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return -float(found.fun)


def test_the_ratio_is_that_of_the_best_fits() -> None:
    values = np.random.default_rng(1).normal(0.7, 3.0, 40)
    walk = Walk(Until("a", "b", 0.25, 1.5))
    for value in values:
        walk.add(float(value))
    assert walk.ratio == pytest.approx(likelihood(values, 1.75) - likelihood(values, 0.25), abs=1e-6)


def walks(mean: float, sd: float, number: int, seed: int) -> list[Walk]:
    rng = np.random.default_rng(seed)
    found = [Walk(UNTIL) for _ in range(number)]
    for walk in found:
        while walk.answer is None:
            for value in rng.normal(mean, sd, 50).tolist():
                walk.add(value)
    return found


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, True), (-1.0, True), (1.0, False), (2.0, False)])
def test_it_errs_no_more_often_than_allowed(mean: float, wrong: bool) -> None:
    """400 walks: 5 % are 20, with a deviation of 4.4."""
    errors = sum(walk.answer is wrong for walk in walks(mean, 5.0, 400, 7))
    assert errors <= 20 + 2 * 4.4
    assert errors > 0 or mean in (-1.0, 2.0)


def test_it_stops_earlier_where_the_difference_is_great() -> None:
    near = np.mean([walk.deals for walk in walks(0.5, 5.0, 50, 3)])
    far = np.mean([walk.deals for walk in walks(2.0, 5.0, 50, 3)])
    assert far < near / 2


def test_nothing_is_decided_by_deals_without_a_difference() -> None:
    walk = Walk(UNTIL)
    for _ in range(1000):
        walk.add(0.0)
    assert walk.answer is None
    for _ in range(LEAST - 1):
        walk.add(30.0)
    assert walk.answer is None
    walk.add(30.0)
    assert walk.answer is True
    assert walk.deals == 1000 + LEAST
    walk.add(-1e6)  # too late
    assert walk.deals == 1000 + LEAST


def test_questions_are_read_by_the_names() -> None:
    names = ("skat-1", "a=b>c", "x")
    until = Until.from_text("skat-1 - a=b>c > -2.5", names, 10)
    assert (until.first, until.second, until.bound) == ("skat-1", "a=b>c", -2.5)
    assert Until.from_text("x-skat-1>0", names, 1).second == "skat-1"
    for text in ("x-y>0", "x>0", "x-skat-1", "x-x>0", "x-skat-1>many", "x-skat-1<0"):
        with pytest.raises(InputError, match="cannot read"):
            Until.from_text(text, names, 10)
    with pytest.raises(InputError, match="delta"):
        Until.from_text("x-skat-1>0", names, None)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequential, "LEAST", 5)


@pytest.mark.usefixtures("plugins", "soon")
def test_where_it_stops_depends_neither_on_workers_nor_on_interruptions(tmp_path: Path) -> None:
    config = toy("high", "dice", deals=60)
    until = Until("high", "dice", 0.0, 8.0, 0.1, 0.1)
    one = run(config, tmp_path / "one.jsonl", until=until)
    two = run(config, tmp_path / "two.jsonl", jobs=2, until=until)
    assert one == two
    assert 0 < len(one) < 6 * 60
    for rows in (5, len(one) - 3):  # as if killed after so many games
        part = tmp_path / f"{rows}.jsonl"
        lines = (tmp_path / "one.jsonl").read_text().splitlines()
        part.write_text("\n".join(lines[: 2 + rows]) + "\n")
        assert run(config, part, until=until) == one
    before = (tmp_path / "one.jsonl").read_text()
    assert run(config, tmp_path / "one.jsonl", until=until) == one  # decided: nothing is played
    assert (tmp_path / "one.jsonl").read_text() == before
    test = report_of_store(tmp_path / "one.jsonl").test
    assert test is not None
    assert test.deals == len(one) // 6
    assert test.answer is not None


@pytest.mark.usefixtures("plugins")
def test_a_store_grows(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    few = run(toy("high", "dice", deals=2), path)
    more = run(toy("high", "dice", deals=4), path, jobs=2)
    assert len(few) == 12
    assert len(more) == 24
    assert more == run(toy("high", "dice", deals=4), tmp_path / "once.jsonl")
    assert report_of_store(path).as_row() == {
        **report_of_store(tmp_path / "once.jsonl").as_row(),
        **{name: report_of_store(path).as_row()[name] for name in ("seconds", "spent")},
    }
    with pytest.raises(InputError, match="they can only grow"):
        run(toy("high", "dice", deals=3), path)
    with pytest.raises(InputError, match="seed is 0 there, 9 here"):
        run(toy("high", "dice", deals=5, seed=9), path)


WORDS = ("tournament", "--game", "toy", "--player", "x=toyparts:high", "--player", "y=toyparts:dice", "--isolate", "no")


@pytest.mark.usefixtures("plugins")
def test_the_report_of_a_store_that_is_not_finished(cli: Callable[..., click.testing.Result], tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    asked = ("--until", "x-y>0", "--delta", "5", "--store", store)
    whole = cli(*WORDS, *asked, "--deals", 4)
    assert whole.exit_code == 0, whole.stderr
    assert "x - y > 0: undecided after 4 deals" in whole.stdout
    lines = store.read_text().splitlines()
    store.write_text("\n".join(line for line in lines[:-3] if "session" not in line) + '\n{"torn":')
    before = store.read_bytes()
    found = cli("tournament", "--report", store)
    assert found.exit_code == 0, found.stderr
    assert "3 deals, 18 games" in found.stdout
    assert "games to play" in found.stdout
    assert "x - y > 0: undecided after 3 deals" in found.stdout
    told = json.loads(cli("tournament", "--report", store, "--json").stdout)
    assert told["until"]["answer"] is None
    assert told["until"]["deals"] == 3
    assert store.read_bytes() == before
    for words, named in (((*WORDS, "--report", store), "--game"), (("cup.toml", "--report", store), "CONFIG")):
        refused = cli(*(words if words[0] == "tournament" else ("tournament", *words)))
        assert refused.exit_code == 2
        assert named in refused.stderr


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(("words", "said"), [
    (("--until", "x-z>0", "--delta", "5"), "until: cannot read 'x-z>0'"),
    (("--until", "x-y>0"), "delta: name the difference"),
    (("--delta", "5"), "delta: belongs to until"),
    (("--until", "x-y>0", "--delta", "5", "--alpha", "0"), "alpha: must be a chance above 0"),
])  # fmt: skip
def test_mistakes_in_a_question(
    words: tuple[str, ...], said: str, cli: Callable[..., click.testing.Result], tmp_path: Path
) -> None:
    found = cli(*WORDS, *words, "--deals", 1, "--store", tmp_path / "games.jsonl")
    assert found.exit_code == 2
    assert said in found.stderr
    assert not list(tmp_path.iterdir())
