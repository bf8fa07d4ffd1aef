"""Files full of faulty records: what is done, said and kept of them is bounded, however many there are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tricktake import errors
from tricktake.cli.faults import SHOWN, Faults
from tricktake.errors import InputError
from tricktake.records.formats import get_format, read

XSKAT = ROOT / "tests/data/xskat-500.log.gz"
MANY = SHOWN + 500
LINES = {"a name": '{"game":"skta","id":"1","deal":"x"}\n', "no JSON": "x\n", "a field": '{"game":"skat","id":"1"}\n'}


@pytest.fixture(params=LINES)
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of nothing but faulty records."""
    path = tmp_path / "full.jsonl"
    path.write_text(LINES[request.param] * MANY)
    return path


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often errors were made, and similar names looked for."""
    done: Counter[str] = Counter()

    def counted(name: str, function: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            done[name] += 1
            return function(*args, **options)

        return call

    monkeypatch.setattr(InputError, "__init__", counted("errors", InputError.__init__))
    monkeypatch.setattr(errors.difflib, "get_close_matches", counted("similar", errors.difflib.get_close_matches))
    errors._closest.cache_clear()
    return done


def test_reading_makes_one_error_of_a_record_and_looks_for_a_name_once(full: Path, work: Counter[str]) -> None:
    reasons: list[str] = []
    assert list(read(full, format="jsonl", on_error=lambda error: reasons.append(str(error)))) == []
    assert len(reasons) == work["errors"] == MANY
    assert work["similar"] <= 1
    assert reasons[-1].startswith(f"{full}:{MANY}: ")


def test_the_first_are_kept_as_text() -> None:
    faults = Faults(shown=2, named=3)
    said = 0
    for number in range(300):
        faults.add({"source": str(number)})
        said += faults.said
    assert (said, len(faults.first), faults.number) == (2, 3, 300)
    faults = Faults()
    faults.add(InputError("a", 1, "x", "y"))
    faults.add(InputError("a", None, None, "y"))
    assert faults.first == [{"source": "a:1", "reason": "x: y"}, {"source": "a", "reason": "y"}]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("convert", "FILE", "OUT"), SHOWN),
        (("verify", "skat", "FILE"), SHOWN),
        (("solve", "skat", "FILE"), SHOWN),
        (("analyse", "skat", "FILE"), SHOWN),
        (("rows", "skat:suit", "FILE", "--skip-bad", "--out", "OUT"), SHOWN),
        (("rate", "FILE", "--bootstrap", "0"), 10),
        (("replay", "skat", "FILE", "--strategy", "core:random"), 20),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_commands_say_the_first(words: tuple[Any, ...], shown: int, cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "full.jsonl"
    good = get_format("jsonl").text(next(read(XSKAT))) if words[0] == "rate" else ""  # else there is nothing to rate
    path.write_text(good + LINES["a name"] * MANY)
    names = {"FILE": path, "OUT": tmp_path / "out.jsonl"}
    done = cli(*(names.get(word, word) for word in words))
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert done.stderr.count("skta") == shown
    assert f"... and {MANY - shown:,} more" in done.stderr
    if words[0] == "replay":
        assert f"{MANY} unreadable" in done.stdout
