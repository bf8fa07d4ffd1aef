"""``tricktake new game``: the skeleton is a whole game, wherever it is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tricktake import plugins


@pytest.fixture
def skeleton(tmp_path: Path, cli) -> Path:
    done = cli("new", "game", "my_whist", "--dir", tmp_path)
    assert done.exit_code == 0, done.stderr
    folder = tmp_path / "my_whist"
    files = {path for path in folder.rglob("*") if path.is_file()}
    assert {Path(line) for line in done.stdout.splitlines()} == files
    return folder


def test_the_game_passes_its_own_tests_and_the_linters(skeleton: Path) -> None:
    """Its tests run the conformance suite."""
    for words in (
        ("pytest", "-q", "-p", "no:cacheprovider"),
        ("ruff", "check", "--isolated", "--select", "E,F,I,UP", "--line-length", "120", "."),
        ("ruff", "format", "--isolated", "--line-length", "120", "--check", "."),
    ):
        pytest.importorskip(words[0])
        done = subprocess.run([sys.executable, "-m", *words], cwd=skeleton, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr


def test_what_its_readme_names_is_there(skeleton: Path, cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(skeleton)
    monkeypatch.setenv("TRICKTAKE_PLUGINS", "src/tricktake_my_whist.py")
    plugins.loaded.cache_clear()
    readme = (skeleton / "README.md").read_text()
    assert "$" not in readme
    assert "TRICKTAKE_PLUGINS=src/tricktake_my_whist.py tricktake check my_whist" in readme
    assert cli("check", "my_whist", "--deals", 1).exit_code == 0
    for page in ("phases", "rules", "formats"):
        assert f"docs/{page}.md" in readme
        assert (ROOT / "docs" / f"{page}.md").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("My-Game", "error: NAME: 'My-Game' must be lower-case letters"),
        ("9game", "must be lower-case letters"),
        ("class", "must be lower-case letters"),
        ("hearts", "error: NAME: 'hearts' is taken by the plugin 'hearts'"),
        ("whist", "error: NAME: 'whist' is taken by the plugin 'parlour'"),
        ("core", "error: NAME: 'core' is taken by the plugin 'core' (built in)"),
        ("there", "there: is there already; nothing was written"),
    ],
)
def test_names_that_do_not_do(cli, tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "there").mkdir()
    done = cli("new", "game", name, "--dir", tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_the_folder_has_to_be_there(cli, tmp_path: Path) -> None:
    done = cli("new", "game", "my_whist", "--dir", tmp_path / "nowhere")
    assert (done.exit_code, "error: --dir: there is no folder" in done.stderr) == (2, True)
