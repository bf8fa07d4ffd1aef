"""What is built and installed: wheels work outside the checkout, with their dependencies and nothing else."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = [ROOT, *sorted(file.parent for file in (ROOT / "plugins").glob("*/pyproject.toml"))]
NO_ENV = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}

CUP = """
game = "skat"
deals = 2
seed = 1
isolate = "no"

[[player]]
name = "rule"
spec = "skat:rule"

[[player]]
name = "random"
spec = "core:random"
"""


def project(folder: Path) -> dict[str, object]:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def run(*words: object, **options: object) -> str:
    env = {key: value for key, value in os.environ.items() if key not in NO_ENV}
    env["NUMBA_DISABLE_JIT"] = "1"  # packages are tested here: no need to compile a new copy of the kernels
    done = subprocess.run(list(map(str, words)), env=env, capture_output=True, text=True, timeout=500, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_what_is_imported_is_a_direct_dependency(folder: Path) -> None:
    own = {path.name for path in (folder / "src").iterdir()} if (folder / "src").is_dir() else {"tricktake"}
    found: set[str] = set()
    for top in own:
        for path in (folder / "src" / top if (folder / "src").is_dir() else folder / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    found.add(node.module.split(".")[0])
    facts = project(folder)
    stated = {name_of(line) for line in facts["dependencies"]}  # type: ignore[attr-defined]
    extras: dict[str, list[str]] = facts.get("optional-dependencies", {})  # type: ignore[assignment]
    stated |= {name_of(line) for lines in extras.values() for line in lines}
    if "numba" in stated:
        stated.add("llvmlite")  # numba's own, of just the version it wants
    missing = {name_of(name) for name in found - own - sys.stdlib_module_names} - stated
    assert not missing


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheels")
    build = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder)
    run(*build, *PROJECTS)
    return sorted(folder.glob("*.whl"))


@pytest.mark.slow
def test_every_wheel_has_its_licence_and_its_tables(wheels: list[Path]) -> None:
    assert len(wheels) == len(PROJECTS)
    licence = (ROOT / "LICENSE").read_bytes()
    tables = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith("/licenses/LICENSE"))
            assert archive.read(name) == licence
            for name in archive.namelist():
                package, _, file = name.partition("/tables/")
                if file:
                    tables[package, file] = archive.read(name)
    for package, name in (("tricktake_skat", "skat"), ("tricktake_null_tables", "null")):
        shipped = {file.name: file.read_bytes() for file in (ROOT / "tables" / name).iterdir()}
        assert shipped
        assert {file: data for (top, file), data in tables.items() if top == package} == shipped


def needed(name: str, seen: set[str]) -> Iterator[str]:
    """A distribution and all it requires without extras, as installed here."""
    if name in seen:
        return
    seen.add(name)
    yield name
    for line in metadata.requires(name) or ():
        requirement, _, marker = line.partition(";")
        if "extra" not in marker and "python_version" not in marker and "platform" not in marker:
            yield from needed(name_of(requirement), seen)


def link_dependencies(site: Path) -> None:
    """Put what the core requires into an environment, out of the one of this process."""
    names = [name_of(line) for line in project(ROOT)["dependencies"]]  # type: ignore[attr-defined]
    seen: set[str] = set()
    for name in (one for top in names for one in needed(top, seen)):
        files = metadata.distribution(name).files or ()
        for top in {file.parts[0] for file in files if file.parts[0] not in ("..", "__pycache__")}:
            source = Path(str(metadata.distribution(name).locate_file(top))).resolve()
            if not (site / top).exists():
                (site / top).symlink_to(source, target_is_directory=source.is_dir())


@pytest.mark.slow
def test_a_tournament_runs_to_its_report_from_wheels_alone(wheels: list[Path], tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    binaries = home / ("Scripts" if os.name == "nt" else "bin")
    python = binaries / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", *wheels)
    link_dependencies(site)
    where = run(python, "-c", "import tricktake, tricktake_skat; print(tricktake.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(site)
    (tmp_path / "cup.toml").write_text(CUP)
    report = run(binaries / "tricktake", "tournament", "cup.toml", cwd=tmp_path)
    assert "rule" in report
    assert "random" in report
    run(binaries / "tricktake", "new", "game", "my_whist", cwd=tmp_path)
    build = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path / "own")
    run(*build, tmp_path / "my_whist")
    (own,) = (tmp_path / "own").iterdir()
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", own)
    assert "ok" in run(binaries / "tricktake", "check", "my_whist", "--deals", 1, cwd=tmp_path)
    load = "from tricktake.learning.table import find_table; [find_table(n) for n in ('skat:suit', 'null_tables:suit')]"
    run(python, "-c", load, cwd=tmp_path)
