"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click.testing
import hypothesis
import pytest

# The first call of a kernel compiles it, which is no slow example. `make test` draws the same examples every time: what
# passed once passes again. `make explore` (HYPOTHESIS_PROFILE=explore) draws others each time, and four times as many.
hypothesis.settings.register_profile("tricktake", deadline=None, print_blob=True, derandomize=True)
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True, max_examples=400)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "tricktake"))

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _no_plugins_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRICKTAKE_PLUGINS", raising=False)


@pytest.fixture
def fresh_plugins() -> Iterator[None]:
    """Plugins are looked for anew, and forgotten afterwards."""
    from tricktake import plugins

    plugins.loaded.cache_clear()
    yield
    plugins.loaded.cache_clear()


@pytest.fixture
def cli(fresh_plugins: None) -> Callable[..., click.testing.Result]:
    """The command line within this process; the result has ``exit_code``, ``stdout`` and ``stderr``."""
    from tricktake.cli.main import main

    return lambda *args: click.testing.CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """A fresh Python process."""

    def run(*args: object, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, args)],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=ROOT,
            env={**os.environ, **env},
        )

    return run
