"""What a result depends on: one number for the sources and data that an experiment reaches, the same in every commit
that does not change them.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tricktake_lab.experiment import CHECKOUT

OURS = "tricktake"
DATA = {".json", ".toml", ".txt", ".table", ".policy", ".npz", ".glem"}
IMPORT_STRING = re.compile(r"tricktake[\w.]*:[\w.]+")
LAB = "tricktake_lab"
TABLES = CHECKOUT / "tables"
PLUGIN = "plugin"  # the module in which a package registers what is known by name only


@cache
def source_of(module: str) -> Path | None:
    """The file of a module of ours, None if it is none."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


@cache
def reached_from(module: str) -> frozenset[str]:
    """The modules of ours that one names: imported anywhere in it, or as ``module:attribute`` in a text."""
    file = source_of(module)
    if file is None or file.suffix != ".py":
        return frozenset()
    return frozenset(name for name in _names(ast.parse(file.read_bytes())) if source_of(name) is not None)


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and IMPORT_STRING.fullmatch(node.value):
            names = [node.value.partition(":")[0]]
        yield from (name for name in names if name.split(".")[0].startswith(OURS))


def closure(*modules: str) -> frozenset[str]:
    """All modules of ours that some modules reach, and what the plugins among their packages register."""
    found: set[str] = set()
    ahead = list(modules)
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            package = name.split(".")[0]
            ahead += [*reached_from(name), package]
            ahead += [f"{package}.{PLUGIN}"] if package not in (OURS, LAB) else []
    return frozenset(name for name in found if source_of(name) is not None)


def packages(modules: Iterable[str]) -> set[str]:
    """The packages of modules."""
    return {name.split(".")[0] for name in modules}


@cache
def fingerprint(module: str) -> str:
    """A number for everything the experiments of a module depend on: sources, and data files beside them.

    A plugin that extends one of the games reached is known by name only, so it counts, too.
    """
    games = packages(closure(module)) - {OURS, LAB}
    points = [point.value for point in importlib.metadata.entry_points(group=OURS)]
    others = [name for name in points if LAB not in packages([name]) and packages(closure(name)) & games]
    modules = closure(module, *others)
    digest = hashlib.sha256()
    for name in sorted(modules):
        file = source_of(name)
        assert file is not None
        digest.update(name.encode() + file.read_bytes())
    folders = {file.parent for file in map(source_of, packages(modules) - {LAB}) if file is not None} | {TABLES}
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in DATA):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]
