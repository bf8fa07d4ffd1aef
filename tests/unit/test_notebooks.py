"""The notebooks run from the first cell to the last, and are kept without outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

NOTEBOOKS = sorted(ROOT.glob("examples/notebooks/*.ipynb"))
SECONDS = 600  # a cell: kernels may have to be compiled first


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook: Path) -> None:
    pytest.importorskip("nbmake", reason="nbmake is not installed: pip install tricktake[test]")
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0"]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run(
        [*program, "--nbmake", f"--nbmake-timeout={SECONDS}", notebook],
        cwd=ROOT,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "1 passed" in done.stdout


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_is_kept_without_outputs(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert any(cell["cell_type"] == "code" for cell in cells)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


def test_there_are_notebooks() -> None:
    assert {notebook.stem for notebook in NOTEBOOKS} == {"game_explained", "policy_trained", "table_learned"}
