"""Where compiled code lies, and what finds it there.

numba does not notice that another module which a kernel calls has changed, and would run the old code. So compiled
code lies in a folder named by a hash of all sources it can be made of: the kernels of the core, those of the
decorated function's own folder, and of every folder it calls into. Where these sources lie does not matter.

The package ``tricktake_kernels``, where it is installed, carries such folders, compiled for levels of processors that
many have. A folder of the same name was made of the same sources by the same numba, so it is as good as one's own.
Code is unpickled from these two places only.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numba
import numpy as np
from numba.core import caching, config
from numba.core.codegen import get_host_cpu_features
from numba.core.compiler_lock import global_compiler_lock

CORE = Path(__file__).resolve().parent
CARRIED = "tricktake_kernels"  # the package
KEPT = 16  # folders of other versions that are never pruned
PRUNE_AFTER = 24 * 3600.0  # seconds unused until one of the others may go

# What a processor must have beside the baseline of its architecture (System V ABI, AMD64 supplement 1.0, table 3.1).
_V2 = frozenset({"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"})
_V3 = _V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
LEVELS = {"x86-64-v3": _V3, "x86-64-v2": _V2}  # best first, by LLVM's name

# ---- names ------------------------------------------------------------------------------------------------------


def cache_root() -> Path:
    """The folder of everything kept between runs."""
    if own := os.environ.get("TRICKTAKE_CACHE_DIR"):
        return Path(own).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser().resolve() / "tricktake"


def kernel_cache(*folders: Path) -> Path:
    """The folder of compiled code made of the sources in these folders, besides those of the core."""
    return cache_root() / "kernels" / key_of(frozenset(folders) | {CORE})


def key_of(folders: frozenset[Path]) -> str:
    """One name for these sources compiled by this numba; bounds checks make other code of the same source.

    Releases of one Python have the same bytecode, and numba asks numpy for no more than its second number.
    """
    python, library = (version.rsplit(".", 1)[0] for version in (platform.python_version(), np.__version__))
    versions = (numba.__version__, library, python, str(config.BOUNDSCHECK))
    digests = (_digest(_stamps(folder)) for folder in sorted(folders))
    return hashlib.sha256("\n".join((*versions, *sorted(digests))).encode()).hexdigest()[:20]


def _stamps(folder: Path) -> tuple[tuple[str, str, int, int], ...]:
    """The sources in a folder and the constants they read, with what changes when they change.

    Not what is below it: it may be a home folder.
    """
    found = []
    for path in sorted((*folder.glob("*.py"), *folder.glob("*_weights.json"))):
        stat = path.stat()
        found.append((str(path), path.name, stat.st_mtime_ns, stat.st_size))
    return tuple(found)


@functools.cache
def _digest(stamps: tuple[tuple[str, str, int, int], ...]) -> str:
    total = hashlib.sha256()
    for path, name, _, _ in stamps:
        total.update(f"{name}\n".encode() + hashlib.sha256(Path(path).read_bytes()).digest())
    return total.hexdigest()


@functools.cache
def first_key(folders: frozenset[Path]) -> str:
    """The key when this process first compiled for these folders: what it has imported since may be newer."""
    return key_of(folders)


# ---- one's own folders ------------------------------------------------------------------------------------------


@functools.cache
def prepared(folder: Path) -> bool:
    """Make the folder and mark it as used now. False if nothing can be kept there."""
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(folder.parent)
        os.utime(folder)
    except OSError:
        return False
    return True


def _prune(root: Path) -> None:
    """Drop the folders of versions nobody has used lately."""
    newest_first = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in newest_first[KEPT:]:
        if time.time() - folder.stat().st_mtime > PRUNE_AFTER:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else compiles these sources: who comes second finds on disk what the first has made."""
    global _depth
    with global_compiler_lock:
        lock = None if _depth or not folder.is_dir() else _locked(folder / "lock")
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            if lock is not None:
                lock.close()


_depth = 0  # kernels being compiled, one for the other


def _locked(file: Path) -> IO[bytes] | None:
    """A file locked for this process until it is closed, as far as the system and the file system can do that."""
    try:
        import fcntl

        lock = file.open("ab")
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock
    except (ImportError, OSError):
        return None


# ---- what is carried --------------------------------------------------------------------------------------------


def levels() -> tuple[str, ...]:
    """The levels this processor reaches, best first. None if numba was told what to compile for."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        return ()
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return ()
    has = {name[1:] for name in get_host_cpu_features().split(",") if name.startswith("+")}
    return tuple(level for level, needed in LEVELS.items() if needed <= has)


@functools.cache
def _carried() -> tuple[str, Path] | None:
    """The best level for this processor that is installed, and its folder."""
    found = importlib.util.find_spec(CARRIED)
    for place in (found.submodule_search_locations or ()) if found else ():
        for level in levels():
            if (folder := Path(place) / level).is_dir():
                return level, folder
    return None


def carries(key: str) -> bool:
    """Whether the kernels of this key are installed, for this processor."""
    found = _carried()
    return found is not None and (found[1] / key).is_dir()


def warm() -> bool:
    """Whether some kernels of the core are compiled, and a process will hardly wait for the others."""
    return carries(key_of(frozenset({CORE}))) or any(kernel_cache().glob("**/*.nbi"))


# ---- numba's side -----------------------------------------------------------------------------------------------


class _Place(caching.UserProvidedCacheLocator):
    """A folder for each folder of sources, by its name only: what lies in both is the same."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        return ".".join(Path(py_file).parent.parts[-2:])

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func, py_file)


class _Form(caching.CompileResultCacheImpl):
    """numba's form, without the annotated source: it is long, for readers only, and full of this machine's paths."""

    _locator_classes = (_Place,)

    def reduce(self, cres: Any) -> Any:
        return super().reduce(cres._replace(type_annotation=""))


class Shelf(caching.FunctionCache):
    """The compiled code of one function: in one's own folder, or else in the installed package.

    folder: of these sources, one's own; made when something is kept.
    """

    _impl_class = _Form

    def __init__(self, function: Any, folder: Path) -> None:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)  # numba's locators look there
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = before
        self.folder = folder

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        with contextlib.suppress(OSError):  # a folder that cannot be read
            found = super()._load_overload(sig, target_context)
        return found or self._from_package(sig, target_context)

    def _from_package(self, sig: Any, target_context: Any) -> Any:
        if not carries(self.folder.name):
            return None
        level, root = _carried()  # type: ignore[misc]
        place = root / self.folder.name / Path(self._cache_path).name
        file = caching.IndexDataCacheFile(str(place), self._impl.filename_base, self._cache_file._source_stamp)
        function, (triple, _, _), code = self._index_key(sig, target_context.codegen())
        try:
            data = file.load((function, (triple, level, ""), code))
            return None if data is None else self._impl.rebuild(target_context, data)
        except Exception as error:  # a damaged installation is slow, not broken
            say_once(f"tricktake: {CARRIED} cannot be read, so kernels are compiled: {type(error).__name__}: {error}")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """As numba does, but a full or unwritable disk only costs the next process time."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            say_once(f"tricktake: compiled kernels cannot be kept: {error}")


@functools.cache
def say_once(line: str) -> None:
    """A line for the user, from the main process only."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is None or multiprocessing.parent_process() is None:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
