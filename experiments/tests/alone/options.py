"""Strange values for options and arguments of all commands; a short form of the experiment ``trust.options``.

Run by ``test_lab_options`` in a process of its own: forks of one that has run thousands of tests inherit its memory.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tricktake_lab.fuzz import options
from tricktake_lab.fuzz.options import CALLS, LEFT, Call, calls, commands, linked, prepared, warmed, wrong

EXAMPLES = 30
# Those of one command: to import all of them costs more than to call them.
SOME = ("deal", "convert", "tournament", "rate", "table read", "blocks join")


@pytest.fixture(autouse=True, scope="module")
def _soon() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(options, "SECONDS", 2.0)
        yield


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What calls find in their folder; everything is imported."""
    folder = tmp_path_factory.mktemp("samples")
    prepared(folder)
    warmed(folder, SOME)
    return folder


def test_every_command_is_called() -> None:
    assert set(commands()) == {*CALLS, *LEFT}


ALL = [call for name, command in commands().items() if name in SOME for call in calls(name, command)]


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(call=st.sampled_from(ALL))
def test_strange_words_are_refused_or_answered(samples: Path, call: Call) -> None:
    assert wrong(call, samples) in ("", "stopped")


@pytest.mark.parametrize(("command", "words"), [
    ("deal", ()),
    ("convert", ("iss.sgf", "pipe", "--to=jsonl")),  # nobody reads it: to wait is right
    ("rate", ("series.csv", "--bootstrap=9223372036854775807")),
    ("tournament", (*CALLS["tournament"].split(), "--deals=9223372036854775807")),
    ("tournament", (*CALLS["tournament"].split(), "--store=")),
    ("tournament", (*CALLS["tournament"].split(), "--jobs=18446744073709551616")),
    ("rate", ("series.csv", "--bootstrap", "0", "--state=pipe")),
    ("table read", ("one.txt", "--out=pipe")),
    ("table read", ("one.txt", "--out=")),
], ids=str)  # fmt: skip
def test_what_was_found(command: str, words: tuple[str, ...], samples: Path) -> None:
    assert wrong(Call(command, words), samples) in ("", "stopped")


def test_a_fault_is_seen(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked for is found: an error that is none of the input, and a pipe that was replaced."""

    def broken(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tricktake.game.find_game", broken)
    assert "ZeroDivisionError" in wrong(Call("deal", ("skat",)), samples)
    monkeypatch.setattr("tricktake.archive.require_end", lambda path: None)
    assert wrong(Call("table read", ("one.txt", "--out=pipe")), samples) == "a pipe was replaced"


def test_pipes_are_copied_as_such(samples: Path, tmp_path: Path) -> None:
    linked(str(samples / "pipe"), str(tmp_path / "pipe"))
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
