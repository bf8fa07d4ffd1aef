"""What results follow from besides the work itself: sources, plugins, learned tables, policies, libraries.

Two machines whose facts are equal compute the same blocks.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType

import tricktake
from tricktake.plugins import Manager, manager

LIBRARIES = ("numpy", "numba")
DATA = (".py", ".json", ".toml", ".npz", ".table", ".policy")  # what a package computes with
MISSING = "missing"

Facts = dict[str, str]


def code() -> str:
    """A hash of all facts of this process."""
    return _code(manager())


@functools.lru_cache(maxsize=1)
def _code(plugins: Manager) -> str:
    return hashlib.blake2b(repr(sorted(_facts(plugins).items())).encode(), digest_size=16).hexdigest()


def facts() -> Mapping[str, str]:
    """What this process computes with, by name. Raises PluginError."""
    return _facts(manager())


@functools.lru_cache(maxsize=1)
def _facts(plugins: Manager) -> Mapping[str, str]:
    found: Facts = {"python": ".".join(platform.python_version_tuple()[:2])}
    found |= {name: importlib.metadata.version(name) for name in LIBRARIES}
    found["code of tricktake"] = _sources(tricktake)
    for name, module in plugins.modules().items():
        top = importlib.import_module(module.__name__.partition(".")[0])
        if top is not tricktake:
            found[f"plugin {name}"] = _sources(top)
    for kind in ("tables", "policies"):
        registry = plugins.registries()[kind]
        for name in registry.names():
            target = registry.entry(name).target
            if isinstance(target, Path):
                found[f"{registry.kind} {name}"] = of_file(target)
    return found


def of_files(names: Iterable[str]) -> Facts:
    """Files by their content."""
    return {f"file {name}": of_file(Path(name)) for name in names}


def of_file(path: Path) -> str:
    """The content of a file as a hash."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        return MISSING


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """What is different there, in words."""
    return [
        f"{name} is {theirs.get(name, MISSING)} there, {ours.get(name, MISSING)} here"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]


def _sources(package: ModuleType) -> str:
    """The files of a package, or the one of a plugin in a single file."""
    file = Path(package.__file__ or "")
    folder = file.parent
    paths = [p for p in folder.rglob("*") if p.suffix in DATA] if file.name == "__init__.py" else [file]
    total = hashlib.sha256()
    for path in sorted(paths, key=lambda p: p.relative_to(folder).as_posix()):
        total.update(f"{path.relative_to(folder).as_posix()}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]
