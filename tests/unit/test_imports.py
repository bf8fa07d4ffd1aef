"""Who may import whom, and what must not be imported early."""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from collections.abc import Set
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = sorted((ROOT / "tricktake").rglob("*.py"))
PLUGIN_PACKAGES = sorted(path.parent for path in (ROOT / "plugins").glob("*/src/*/__init__.py"))
PRODUCT = CORE + sorted((ROOT / "plugins").glob("*/src/**/*.py"))
LAB = sorted((ROOT / "experiments" / "src").rglob("*.py"))
KERNELS = sorted(
    path for top in ("tricktake", "plugins", "experiments") for path in (ROOT / top).rglob("_kernels/**/*.py")
)
PLAIN = {"__future__", "math", "numpy", "typing"}


def imported(path: Path, package: str) -> set[str]:
    """Full names of all modules a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            found.add(".".join([*base, *([node.module] if node.module else [])]))
    return found


def package_of(path: Path) -> str:
    top = next(p for p in path.parents if not (p / "__init__.py").is_file())
    return ".".join(path.parent.relative_to(top).parts)


def test_there_is_something_to_check() -> None:
    assert {p.name for p in PLUGIN_PACKAGES} >= {"tricktake_skat", "tricktake_null_tables"}
    assert ROOT / "tricktake/_kernels/_jit.py" in KERNELS


def test_the_contracts_know_every_plugin() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    plugins = {package.name for package in PLUGIN_PACKAGES}
    assert {"tricktake", *plugins} == set(settings["root_packages"])
    assert plugins == set(settings["contracts"][0]["forbidden_modules"])


def floors() -> list[str]:
    """The names on the floors of the core, from the roof down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = [
        c["layers"] for c in settings["contracts"] if c["type"] == "layers" and c["containers"] == ["tricktake"]
    ]
    return [name for layer in layers for name in layer.split(" : ")]


def test_every_module_of_the_core_has_its_floor() -> None:
    named = floors()
    assert len(set(named)) == len(named)
    modules = {path.relative_to(ROOT / "tricktake").parts[0].removesuffix(".py") for path in CORE} - {"__init__"}
    assert modules <= {name.strip("()") for name in named}
    assert {name for name in named if not name.startswith("(")} <= modules


def test_the_page_shows_the_floors_of_the_contract() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = page.split("## The floors")[1].split("```")[1]
    shown = [name for line in block.split("\n") if line for name in line.split(", ")]
    assert shown == [name.strip("()") for name in floors() if name != "__main__"]


def test_no_cycle_is_hidden_in_a_function() -> None:
    """Modules form no cycle by what they import anywhere but for the type checker."""
    names = {module_name(path): path for path in CORE}
    graph = {name: needed(path, names.keys()) - {name} for name, path in names.items()}
    assert "tricktake.cards" in graph["tricktake.game"] | graph["tricktake.deal"]
    while graph:
        leaves = {name for name, others in graph.items() if not others & graph.keys()}
        assert leaves, f"these import each other: {sorted(graph)}"
        graph = {name: others for name, others in graph.items() if name not in leaves}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def needed(path: Path, modules: Set[str]) -> set[str]:
    """Those of the modules that a file imports when it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names if names <= modules else {node.module, *names}
    return found & modules


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_core_never_imports_a_plugin(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path, package_of(path))}
    assert not tops & {package.name for package in PLUGIN_PACKAGES}


@pytest.mark.parametrize("path", PRODUCT, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_product_never_imports_the_laboratory(path: Path) -> None:
    """Not even within a function; it reads what experiments wrote."""
    assert "tricktake_lab" not in {name.split(".")[0] for name in imported(path, package_of(path))}


@pytest.mark.parametrize("path", LAB, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_laboratory_calls_public_kernels_only(path: Path) -> None:
    assert all(is_kernel(name, "tricktake_lab") for name in imported(path, package_of(path)) if "._kernels" in name)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: str(path.relative_to(ROOT)))
def test_kernels_import_numpy_and_each_other(path: Path) -> None:
    package = package_of(path)
    names = imported(path, package)
    if path.name in ("_jit.py", "_shelf.py", "policy_simd.py"):  # what writes machine code
        own = {name for name in names if is_kernel(name, "tricktake._kernels")}
        assert {name.split(".")[0] for name in names - own} <= {"numba", "llvmlite", "numpy"} | sys.stdlib_module_names
    elif package.startswith("tricktake._kernels"):
        assert all(name in PLAIN or is_kernel(name, "tricktake._kernels") for name in names), names
    else:  # a plugin's kernels may call those of others: their sources are part of the key too
        public = {*PLAIN, "tricktake.jit", "tricktake.policy.kernels"}
        own = f"{package}.".partition("._kernels.")[0] + "._kernels"
        assert all(name in public or name.endswith(".kernels") or is_kernel(name, own) for name in names), names


def is_kernel(name: str, folder: str) -> bool:
    return f"{folder}." in f"{name}."


def test_the_check_sees_every_way_to_import(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("import a.b\nfrom c import d\ndef f():\n    from .e import g\n    from .. import h\n")
    assert imported(file, "p.q") == {"a.b", "c", "p.q.e", "p"}


def test_help_imports_no_heavy_package(python) -> None:
    code = (
        "import json, sys\nfrom tricktake.cli.main import main\n"
        "main.main(['--help'], standalone_mode=False)\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    modules = set(json.loads(done.stdout.splitlines()[-1]))
    assert "tricktake.plugins" in modules
    assert not modules & {"numpy", "numba", "rich", "scipy", "pyarrow", "matplotlib", "asyncio"}
