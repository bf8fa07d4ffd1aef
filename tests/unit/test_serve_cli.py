"""Servers that cannot begin say why, with exit code 2, before anybody plays."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tricktake.cli.main import main


@pytest.fixture
def taken() -> Iterator[int]:
    """A port somebody listens at."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as other:
        yield other.getsockname()[1]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hands = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    Path("boards.pbn").write_text(f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "N:{hands}"]\n')
    Path("none.pbn").write_text('[Board "1"]\n[Dealer "N"]\n')
    Path("bad.sqlite").write_bytes(bytes(range(256)) * 20)


SERVERS = ("serve --cold", "iss serve", "bridge-table serve boards.pbn --out played.pbn")


def refused(words: str) -> str:
    """What is said of a command line."""
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == 2, done.output
    assert "a fault of tricktake" not in done.output
    return done.output


@pytest.mark.parametrize("words", SERVERS)
def test_a_port_that_is_taken(words: str, taken: int) -> None:
    said = refused(f"{words} --port {taken}")
    assert "Address already in use" in said
    assert str(taken) in said


@pytest.mark.parametrize("words", SERVERS)
@pytest.mark.parametrize("host", ["999.1.2.3", "203.0.113.77", "nobody.invalid", "x" * 5000, "\udcff"])
def test_an_address_that_is_none_of_ours(words: str, host: str) -> None:
    said = refused(f"{words} --port 0 --host {host}")
    assert "cannot listen" in said
    assert "--port 0" not in said  # which is no remedy
    assert len(said) < 500


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("serve --cold --store bad.sqlite", "is no file of a server"),
        ("serve --cold --store no/such", "no/such: No such file"),
        ("serve --cold --name bad,name", "'bad,name' is not HOST[:PORT]"),
        ("serve --cold --name=", "'' is not HOST[:PORT]"),
        ("serve --cold --name \udcff", "is not HOST[:PORT]"),
        ("serve --cold --name a:b", "'a:b' is not HOST[:PORT]"),
        ("serve --warm nogame", "unknown game 'nogame'"),
        ("iss serve --port 0 --bot nospec", "'nospec' is not NAME=SPEC"),
        ("iss serve --port 0 --bot a=no:such", "unknown strategy 'no:such'"),
        ("iss serve --port 0 --out no/such", "there is no folder no"),
        ("iss serve --port 0 --out .", "is a directory"),
        ("bridge-table serve boards.pbn --out no/such/p.pbn", "there is no folder no/such"),
        ("bridge-table serve none.pbn --out p.pbn --port 0", "none.pbn: no board of it can be played"),
        ("engine serve core:random --connect http://x --token a", "http://x"),
        ("engine serve no:such", "unknown strategy 'no:such'"),
    ],
)
def test_what_cannot_be_served(words: str, said: str) -> None:
    assert said in refused(words)
