"""What the pages show is true: every snippet is run, by a stranger's installation."""

from __future__ import annotations

import os
import site
import subprocess
import sys
from pathlib import Path

import pytest

from tests import snippets
from tests.conftest import ROOT
from tests.examples import OH_PSHAW, SECRET_ACE, THRIFTY, load
from tricktake.game import find_game
from tricktake.plugins import Manager, Wanted
from tricktake.testing import check_strategy

TUTORIAL = ROOT / "docs" / "tutorial.md"
PAGES = [
    TUTORIAL,
    ROOT / "README.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("commands", "contracts", "formats", "rules", "table")),
]


@pytest.fixture
def stranger(tmp_path: Path) -> dict[str, str]:
    """An environment in which ``pip install -e`` installs for real, but neither from the network nor into ours."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: nothing can be installed without a network")
    pytest.importorskip("editables", reason="editables is not installed")
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    scripts = home / "bin"
    (packages,) = home.glob("lib/python*/site-packages")
    ours = [*site.getsitepackages(), str(ROOT)]
    (packages / "ours.pth").write_text("".join(f"import site; site.addsitedir({path!r})\n" for path in ours))
    programs = {
        "tricktake": 'exec python -m tricktake "$@"',
        "pytest": 'exec python -m pytest "$@"',
        "pip": 'what=$1; shift; exec python -m pip "$what" --no-build-isolation --no-index -q "$@"',
    }
    for name, line in programs.items():
        (scripts / name).write_text(f"#!/bin/sh\n{line}\n")
        (scripts / name).chmod(0o755)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("TRICKTAKE_", "PIP_", "PYTHON"))}
    return {**kept, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_snippet_runs(page: Path, tmp_path: Path, stranger: dict[str, str]) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    snippets.run(page, folder, stranger)


def test_the_tutorial_builds_the_example() -> None:
    for file in (OH_PSHAW, OH_PSHAW.parent / "pyproject.toml", SECRET_ACE):
        built = "".join(block.text for block in snippets.blocks(TUTORIAL) if block.file == file.name)
        assert built == file.read_text(encoding="utf-8")


def test_the_runner_notices_what_is_wrong(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    env = dict(os.environ)
    page.write_text("```sh\nfalse\n```\n")
    with pytest.raises(AssertionError, match=r"page.md:1: exit code 1"):
        snippets.run(page, tmp_path, env)
    page.write_text("Text.\n\n```python\nassert 1 == 2\n```\n")
    with pytest.raises(AssertionError, match=r"page.md:3: exit code 1"):
        snippets.run(page, tmp_path, env)
    page.write_text("```sh a.txt\nx\n```\n```sh\ncat a.txt; echo one two three\n```\n```text\nx\none ... three\n```\n")
    snippets.run(page, tmp_path, env)
    page.write_text("```sh\necho b; echo a\n```\n```text\na\nb\n```\n")
    with pytest.raises(AssertionError, match=r"page.md:4: 'b' is not in the output"):
        snippets.run(page, tmp_path, env)


def test_the_swapped_strategy_plays_every_game() -> None:
    part = load(THRIFTY).Thrifty()
    for name in Manager(Wanted()).games.names():
        check_strategy(part, find_game(name), deals=1, seed=4).require()


def test_the_swapped_strategy_in_a_tournament(tmp_path: Path, monkeypatch, cli) -> None:
    monkeypatch.chdir(THRIFTY.parent)  # its tricktake.toml adds the plugin
    done = cli("tournament", "tournament.toml", "--deals", 1, "--store", tmp_path / "games.jsonl", "--json")
    assert done.exit_code == 0, done.stderr
    assert '"thrifty"' in done.stdout
