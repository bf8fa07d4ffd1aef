"""The items of the papers: their data, verdicts, results that are kept, the command, and the pages made of them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from tricktake_lab import experiments
from tricktake_lab.experiment import CHECKOUT
from tricktake_lab.reproduce import results as results_of
from tricktake_lab.reproduce.cli import command
from tricktake_lab.reproduce.depends import closure, fingerprint
from tricktake_lab.reproduce.items import chosen, items, papers
from tricktake_lab.reproduce.page import BEGIN, END, PAGE, RESULTS, page, readme, stored, with_block
from tricktake_lab.reproduce.results import judged, reproduce, task_of
from tricktake_lab.reproduce.verdict import Claim, Number, found, overall, shown

from tricktake.errors import InputError, UnknownName

README = CHECKOUT / "README.md"


def result(mean: float, error: float | None = None, unit: str = "") -> dict:
    cell = {"mean": mean, "error": error, "n": 9, "unit": unit}
    return {"facts": {"x": cell}, "sheets": [{"title": "t", "columns": ["a", "b", "c"], "rows": [["p", "q", cell]]}]}


def test_every_item_has_an_experiment_or_a_reason() -> None:
    for item in items().values():
        assert bool(item.experiment) != bool(item.impossible), item.name
        assert "smoke" not in item.arguments  # so that the tests run every experiment once
        if item.experiment:
            experiment = experiments()[item.experiment]
            for size in experiment.sizes:
                _, arguments = item.run_with(experiment, size, Path("out"))
                assert set(arguments) <= set(experiment.parameters), item.name
    names = [item.name for paper in papers() for item in paper.items]
    assert len(names) == len(set(names))
    assert all(name.partition("-")[0] == items()[name].paper.lower() for name in names)


def test_printed_tables_are_whole() -> None:
    for item in items().values():
        for row in item.printed.get("rows", ()):
            assert len(row) == len(item.printed["columns"]), (item.name, row)
        for claim in item.claims:
            assert claim.rule in ("above", "below", "none") or claim.paper is not None, (item.name, claim.says)
            assert claim.ours is not None or claim.why, (item.name, claim.says)


@pytest.mark.parametrize(
    ("rule", "numbers", "mean", "error", "verdict"),
    [
        ("above", {}, 5, 2, "agrees"),
        ("above", {}, -5, 2, "differs"),
        ("above", {}, 1, 2, "undecided"),
        ("above", {"limit": 4}, 5, 2, "undecided"),
        ("above", {}, 5, None, "agrees"),
        ("above", {}, -5, None, "differs"),
        ("above", {}, 0, 0, "undecided"),
        ("below", {}, -5, 2, "agrees"),
        ("below", {}, 5, 2, "differs"),
        ("below", {"limit": 9}, 5, None, "agrees"),
        ("exact", {"paper": 791.04}, 791.0438, None, "agrees"),
        ("exact", {"paper": 791.04}, 791.05, None, "differs"),
        ("equal", {"paper": 4}, 5, 2, "agrees"),
        ("equal", {"paper": 4}, 9, 2, "differs"),
        ("equal", {"paper": 4, "paper_error": 6}, 9, 2, "agrees"),
        ("about", {"paper": 41, "within": 2}, 41.5, 0.2, "agrees"),
        ("about", {"paper": 41, "within": 2}, 50, 0.2, "differs"),
        ("about", {"paper": 41, "within": 2}, 43, 0.2, "undecided"),
        ("none", {}, 5, 2, "cannot be compared"),
        ("above", {}, math.nan, None, "undecided"),
    ],
)
def test_verdicts(rule: str, numbers: dict, mean: float, error: float | None, verdict: str) -> None:
    claim = Claim("it is so", rule, ours="x", **numbers)
    what = claim.judged(result(None if math.isnan(mean) else mean, error))  # type: ignore[arg-type]
    assert what.verdict == verdict
    json.dumps(what.as_json(), allow_nan=False)


def test_the_certainty_is_that_of_a_normal_deviate() -> None:
    at_the_edge = Claim("s", "above", ours="x").judged(result(1.959964, 1.959964))
    assert at_the_edge.p == pytest.approx(0.05, abs=1e-5)
    assert Claim("s", "above", ours="x").judged(result(2, None)).p is None


def test_where_numbers_are() -> None:
    given = result(3, 1)
    for place in ("x", ["p", "c"], ["p | q", "c"], [0, "p", "c"]):
        assert found(given, place)["mean"] == 3
    for place in (["q", "c"], ["p", "d"]):
        with pytest.raises(KeyError, match="no row"):
            found(given, place)
    two = Number(5, 3) - Number(1, 4)
    assert (two.mean, two.error) == (4, 5)
    assert math.isnan((Number(5) - Number(1)).error)
    assert (shown(0.69612, 0.0101, "%"), shown(1234.5678, 12.3), shown(2.5), shown(41)) == (
        "69.6 ± 1.0 %", "1,235 ± 12", "2.5", "41")  # fmt: skip


def test_one_verdict_of_many() -> None:
    assert overall(["agrees", "undecided"]) == "agrees, some undecided"
    assert overall(["agrees", "cannot be compared"]) == "agrees"
    assert overall(["agrees", "differs"]) == "agrees in part"
    assert overall(["differs", "cannot be compared"]) == "differs"
    assert overall(["undecided", "cannot be compared"]) == "undecided"
    assert overall([]) == "cannot be compared"


def test_the_ten_series_of_the_paper_are_printed_alike(tmp_path: Path) -> None:
    ((item, made, _),) = reproduce([items()["elo-2"]], "paper", tmp_path)
    assert made["verdict"] == "agrees"
    (sheet,) = made["run"]["sheets"]
    assert sheet["columns"] == item.printed["columns"]
    for ours, theirs in zip(sheet["rows"], item.printed["rows"], strict=True):
        assert ours[1:] == pytest.approx(theirs[1:], abs=0.011)


def test_what_is_there_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [items()["elo-2"]]

    def made(again: bool = False) -> list[bool]:
        return [new for _, _, new in reproduce(wanted, "smoke", tmp_path, again=again)]

    assert [made(), made(), made(again=True)] == [[True], [False], [True]]
    monkeypatch.setattr(results_of, "fingerprint", lambda module: "of other code")
    assert made() == [True]
    broken = tmp_path / "elo-2.json"
    broken.write_text("{}")
    with pytest.raises(InputError, match=r"elo-2\.json"):
        made()


def test_items_of_one_run_share_it(tmp_path: Path) -> None:
    first, second = (task_of(items()[name], "paper", tmp_path) for name in ("elo-1", "elo-5"))
    assert first.key == second.key
    other = task_of(items()["elo-1"], "small", tmp_path)
    assert other.key != first.key


def test_a_result_depends_on_what_is_reached_by_import_or_by_name() -> None:
    reached = closure("tricktake_lab.skat.numbers")
    assert {"tricktake_skat.rows_play", "tricktake_skat._kernels.discard", "tricktake_skat.bidding.bidder"} <= reached
    assert not any(name.startswith(("tricktake_bridge", "tricktake_parlour")) for name in reached)
    assert fingerprint("tricktake_lab.skat.numbers") != fingerprint("tricktake_lab.skat.rating_tables")


def test_the_command(tmp_path: Path) -> None:
    cli = CliRunner()
    listed = cli.invoke(command, ["--list", "--json"])
    assert listed.exit_code == 0, listed.output
    rows = json.loads(listed.stdout)
    assert {row["name"] for row in rows} == set(items())
    assert all(row["status"] for row in rows)
    done = cli.invoke(command, ["elo-2", "elo-fig1", "--size", "smoke", "--out", str(tmp_path)])
    assert "elo-2" in done.stdout
    assert "agrees" in done.stdout
    assert "not possible here" in done.stderr
    again = cli.invoke(command, ["elo-2", "--size", "smoke", "--out", str(tmp_path), "--json"])
    assert json.loads(again.stdout)[0]["item"] == "elo-2"
    with pytest.raises(UnknownName, match="elo-2"):
        cli.invoke(command, ["elo-22", "--list"], catch_exceptions=False)
    assert next(item.name for item in chosen(["elo-2", "ELO"])) == "elo-2"
    assert [item.name for item in chosen(["all"])] == list(items())


@pytest.mark.parametrize("name", sorted(stored()))
def test_stored_results_say_what_follows_from_them(name: str) -> None:
    """Verdicts, printed numbers and notes are those of today's data files."""
    kept = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    assert kept == judged(items()[name], kept["run"])
    assert kept["run"]["size"] in ("small", "paper")
    assert not kept["run"]["commit"].endswith("+")


def test_the_pages_are_made_of_the_stored_results() -> None:
    """``tricktake reproduce --page`` writes them."""
    results = stored()
    assert PAGE.read_text(encoding="utf-8") == page(results)
    text = README.read_text(encoding="utf-8")
    assert text == with_block(text, readme(results))
    assert with_block(f"a {BEGIN}old{END} b", f"{BEGIN}new{END}") == f"a {BEGIN}new{END} b"
    with pytest.raises(ValueError, match="marks"):
        with_block("nothing", "")
