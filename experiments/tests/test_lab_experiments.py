"""Every experiment runs, at the size that takes seconds, and says what it did."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tricktake_lab import MODULES, experiments
from tricktake_lab.__main__ import main
from tricktake_lab.experiment import CHECKOUT, SIZES, parsed, run
from tricktake_lab.reproduce.items import items
from tricktake_lab.reproduce.results import judged

from tricktake.errors import InputError, UnknownName

EXPERIMENTS = experiments()
# At smoke size, beside others.
SLOW = {"cards.given-away", "cards.proven", "cluster.faults", "ratings.systems", "ratings.luck"}
NEEDS = {"bridge.dds": "endplay", "bridge.freaks": "endplay", "columns.run": "pyarrow", "server.load": "uvicorn"}


def slow(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


@pytest.mark.parametrize("name", [slow(name) for name in sorted(EXPERIMENTS)])
def test_it_runs_at_smoke_size(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)  # nothing may depend on where it is started
    done = run(EXPERIMENTS[name], "smoke")
    assert done.outcome.sheets or done.outcome.facts
    assert all(sheet.rows and sheet.markdown() for sheet in done.outcome.sheets)
    written = json.loads(json.dumps(done.as_json(), allow_nan=False))
    assert written["experiment"] == name
    assert written["seconds"] >= 0
    assert {"commit", "versions", "machine", "command", "arguments", "seed"} <= written.keys()
    assert not list(tmp_path.iterdir())
    for path, content in done.outcome.ships.items():
        assert (CHECKOUT / path).is_file(), path
        assert content
    for item in items().values():
        if item.experiment == name:  # what it says of the paper can be found in any result
            result = judged(item, written)
            assert [claim["says"] for claim in result["claims"]] == [claim.says for claim in item.claims]
            json.dumps(result, allow_nan=False)


@pytest.mark.parametrize("name", ["bidding.records", "solver.ordering", "bidding.prior"])
def test_the_same_seed_gives_the_same_result(name: str) -> None:
    one, two = (run(EXPERIMENTS[name], "smoke").as_json() for _ in range(2))
    assert one["sheets"] == two["sheets"]
    other = run(EXPERIMENTS[name], "smoke", seed=one["seed"] + 1).as_json()
    assert other["command"] != one["command"]


def test_every_experiment_is_described() -> None:
    for name, each in EXPERIMENTS.items():
        assert name.count(".") == 1
        assert each.summary.endswith((".", ";", "..."))
        assert each.item
        assert tuple(each.sizes) == SIZES
        for size in SIZES:
            each.arguments(size, {})


def test_every_module_of_experiments_is_known() -> None:
    """A module that registers something is listed, so that no experiment is out of reach."""
    root = Path(sys.modules["tricktake_lab"].__file__ or "").parent
    found = {
        ".".join(file.relative_to(root).with_suffix("").parts)
        for file in root.rglob("*.py")
        if "\n@experiment(" in file.read_text(encoding="utf-8")
    }
    assert found == set(MODULES)


def test_the_command(tmp_path: Path) -> None:
    cli = CliRunner()
    listed = cli.invoke(main, ["--list"])
    assert listed.exit_code == 0
    assert "bidding.prior" in listed.stdout
    shown = cli.invoke(main, ["bidding.prior", "--list"])
    assert "300000" in shown.stdout
    out = tmp_path / "result.json"
    done = cli.invoke(main, ["winning.underace", "--size", "smoke", "--set", "least=1000", "--out", str(out)])
    assert done.exit_code == 0, done.stderr
    assert json.loads(out.read_text())["arguments"] == {"least": 1000}
    assert "| difference |" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.here"], "unknown experiment"),
        (["bidding.styles", "--set", "deal=3"], "did you mean 'deals'"),
        (["bidding.styles", "--set", "deals=many"], "'many' is no int"),
        (["bidding.styles", "--set", "names=x"], "unknown style"),
        (["bidding.records", "--set", "log=nowhere.log"], "nowhere.log"),
        (["discard.methods", "--set", "kind=x"], "unknown kind"),
        (["solver.ordering", "--set", "table=x"], "unknown table"),
        (["bidding.styles", "--set", "deals"], "NAME=VALUE"),
    ],
)
def test_wrong_arguments_are_named(words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, [*words, "--size", "smoke"])
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_values_from_text() -> None:
    assert parsed("x", "1.5 2", tuple[float, ...]) == (1.5, 2.0)
    assert parsed("x", "'a b' c", tuple[str, ...]) == ("a b", "c")
    assert parsed("x", "none", str | None) is None
    assert parsed("x", "here", Path | None) == Path("here")
    assert parsed("x", "True", bool) is True
    with pytest.raises(InputError, match="bool"):
        parsed("x", "yes", bool)
    with pytest.raises(UnknownName, match="size"):
        EXPERIMENTS["bidding.prior"].arguments("huge", {})
