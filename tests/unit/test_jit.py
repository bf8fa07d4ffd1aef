"""Bits with the JIT on and off, and compiled code that is never older than its sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.caching import NullCache

from tricktake._kernels import _jit, _shelf
from tricktake.jit import highbit_index, lowbit_index, njit, popcount

CORE = Path(_jit.__file__).resolve().parents[1]
INT64 = st.integers(-(2**63), 2**63 - 1)
EDGES = [0, 1, 2, 3, -1, -2, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1, 1 << 31, 1 << 32]


@njit
def three(x):
    return popcount(x), lowbit_index(x), highbit_index(x)


def slow(x: int) -> tuple[int, int, int]:
    bits = [i for i in range(64) if x >> i & 1]
    return len(bits), min(bits, default=64), max(bits, default=-1)


@pytest.mark.kernel
@pytest.mark.parametrize("x", EDGES)
def test_bits_at_the_edges(x: int) -> None:
    assert three(np.int64(x)) == slow(x)
    assert (popcount(x), lowbit_index(x), highbit_index(x)) == slow(x)


@pytest.mark.kernel
@given(INT64)
def test_bits(x: int) -> None:
    assert three(np.int64(x)) == slow(x)


INDICES = """
import numpy as np
from tricktake.jit import njit

@njit
def last(x):
    return x[-1]

@njit
def at(x, i):
    return x[i]

x = np.arange(3)
print(last(x), at(x, 1))
print(at(x, -1))
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="Python counts from the end")
def test_negative_indices_are_found_when_bounds_are_checked() -> None:
    """Only a literal one counts from the end: others are not looked for, but by NUMBA_BOUNDSCHECK."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", INDICES], env=environment, capture_output=True, text=True)
    assert done.stdout == "2 1\n"
    assert "IndexError" in done.stderr


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="Python counts from the end")
def test_no_index_is_asked_about_where_others_are_called() -> None:
    inner = _uncached(at)

    def twice(a, i):
        return inner(a, i) + a[i]

    assert _uncached(twice)(np.arange(10)[5:], -1) == 8  # what lies before the view, not its end


def at(a, i):
    return a[i]


@pytest.mark.kernel
def test_division_is_that_of_the_machine() -> None:
    @njit
    def ratio(a, b):
        return a / b

    with np.errstate(divide="ignore"):
        assert ratio(np.float64(1.0), np.float64(0.0)) == np.inf


# ---- the cache --------------------------------------------------------------------------------------------------

CALLEE = "from tricktake.jit import njit\n\n\n@njit\ndef inner(x):\n    return x + {}\n"
CALLER = "from tricktake.jit import njit\nfrom {} import inner\n\n\n@njit\ndef outer(x):\n    return 10 * inner(x)\n"
RUN = (
    "import sys; sys.path.insert(0, {folder!r})\n"
    "from tricktake._kernels import _jit; _jit.QUIET = 0.0\n"
    "from {module} import outer\n"
    "print(outer(1), sum(outer.stats.cache_hits.values()))\n"
)


class Kernels:
    """Two kernel modules, and a copy of what they import from the core, run in fresh processes."""

    def __init__(self, folder: Path, python, callee_package: str) -> None:
        self.folder, self.python, self.cache = folder, python, folder / "cache"
        self.callee = folder / callee_package / "_kernels" / "callee.py"
        for package in {"mini", callee_package}:
            (folder / package / "_kernels").mkdir(parents=True)
        for file in ("__init__.py", "jit.py", "_kernels/__init__.py", "_kernels/_jit.py", "_kernels/_shelf.py"):
            copy = folder / "tricktake" / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CORE / file, copy)
        (folder / "mini/_kernels/caller.py").write_text(CALLER.format(f"{callee_package}._kernels.callee"))
        self.adds(1)

    def adds(self, n: int) -> None:
        before = self.callee.stat().st_mtime_ns if self.callee.exists() else 0
        self.callee.write_text(CALLEE.format(n))
        os.utime(self.callee, ns=(before + 10**9, before + 10**9))  # also where clocks are coarse

    def run(self, prelude: str = "", **env: str) -> tuple[int, int, str]:
        """The value of outer(1), cache hits, and stderr."""
        code = prelude + RUN.format(folder=str(self.folder), module="mini._kernels.caller")
        done = self.python("-c", code, TRICKTAKE_CACHE_DIR=str(self.cache), NUMBA_DISABLE_JIT="0", **env)
        assert done.returncode == 0, done.stderr
        value, hits = done.stdout.split()
        return int(value), int(hits), done.stderr


@pytest.mark.parametrize("callee_package", ["mini", "other"])
def test_an_edited_callee_is_never_stale(tmp_path: Path, python, callee_package: str) -> None:
    kernels = Kernels(tmp_path, python, callee_package)
    value, hits, stderr = kernels.run()
    assert (value, hits) == (20, 0)
    assert stderr.count("compiling kernels") == 1
    assert kernels.run() == (20, 1, "")  # warm: found on disk, and nothing to say
    kernels.adds(2)
    assert kernels.run()[:2] == (30, 0)
    kernels.adds(1)
    assert kernels.run()[:2] == (20, 1)  # the old folder is still right
    (tmp_path / "tricktake/_kernels/new.py").write_text("# the core has another kernel")
    assert kernels.run()[:2] == (20, 0)


def test_spawned_workers_use_the_same_cache(tmp_path: Path, python) -> None:
    kernels = Kernels(tmp_path, python, "mini")
    kernels.run()
    script = tmp_path / "spawn.py"
    script.write_text(
        f"import multiprocessing, sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
        "def work(x):\n    from mini._kernels.caller import outer\n"
        "    return outer(x), sum(outer.stats.cache_hits.values())\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(pool.map(work, [1]))\n"
    )
    done = python(script, TRICKTAKE_CACHE_DIR=str(kernels.cache), NUMBA_DISABLE_JIT="0")
    assert (done.stdout.strip(), done.stderr) == ("[(20, 1)]", "")


def test_code_of_mixed_age_is_not_kept(tmp_path: Path, python) -> None:
    kernels = Kernels(tmp_path, python, "mini")
    (tmp_path / "mini/_kernels/early.py").write_text(CALLEE.format(0))
    # A process imports one kernel, a source is edited, and the process goes on with the edited one.
    edit = f"open({str(kernels.callee)!r}, 'w').write({CALLEE.format(22)!r})\n"
    prelude = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport mini._kernels.early\n{edit}"
    assert kernels.run(prelude)[0] == 230
    kernels.adds(1)  # sources as at the start of that process
    assert kernels.run()[:2] == (20, 0)


def test_without_a_place_to_keep_code_it_still_runs(tmp_path: Path, python) -> None:
    kernels = Kernels(tmp_path, python, "mini")
    kernels.cache.write_text("a file, not a folder")
    value, hits, stderr = kernels.run()
    assert (value, hits) == (20, 0)
    assert "cannot be kept" in stderr
    assert not list(tmp_path.rglob("*.nbi"))


@pytest.mark.parametrize("words", ["deal skat --count 2 --seed 7", "games hearts", "plugins"])
def test_what_does_not_search_compiles_nothing(tmp_path: Path, python, words: str) -> None:
    done = python("-m", "tricktake", *words.split(), TRICKTAKE_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert not list(tmp_path.rglob("*.nbi"))


@pytest.fixture(scope="module")
def carrying(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of kernels that an installed package carries, compiled for an old processor."""
    if not _shelf.levels():
        pytest.skip("no level of processors is known for this one")
    folder = tmp_path_factory.mktemp("carrying")
    env = {**os.environ, "NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}

    def python(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *args], env=env | more, capture_output=True, text=True)

    kernels = Kernels(folder, python, "mini")
    assert kernels.run()[:2] == (20, 0)
    (folder / "tricktake_kernels").mkdir()
    (folder / "tricktake_kernels/__init__.py").touch()
    shutil.move(kernels.cache / "kernels", folder / "tricktake_kernels/x86-64-v2")
    kernels.cache.rmdir()
    return folder


@pytest.fixture
def carried(carrying: Path, tmp_path: Path, python) -> Kernels:
    """The same kernels in another place, as installed with what is carried, and an empty cache."""
    kernels = Kernels(tmp_path, python, "mini")
    shutil.copytree(carrying / "tricktake_kernels", tmp_path / "tricktake_kernels")
    return kernels


def test_carried_kernels_are_not_compiled(carried: Kernels) -> None:
    assert carried.run() == (20, 1, "")
    assert not list(carried.cache.rglob("*.nbc"))
    carried.adds(2)  # sources of another version
    assert carried.run()[:2] == (30, 0)


def test_carried_kernels_need_no_place_of_their_own(carried: Kernels) -> None:
    carried.cache.write_text("a file, not a folder")
    assert carried.run() == (20, 1, "")


def test_carried_kernels_are_for_processors_that_have_it_all(carried: Kernels) -> None:
    weak = f"import sys; sys.path.insert(0, {str(carried.folder)!r})\n"
    weak += "from tricktake._kernels import _shelf; _shelf.LEVELS = {'x86-64-v2': {'popcnt', 'warp'}}\n"
    assert carried.run(weak)[:2] == (20, 0)
    shutil.rmtree(carried.cache)
    assert carried.run(NUMBA_CPU_NAME="generic")[:2] == (20, 0)  # the user wants code of another kind


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_damaged_carried_kernels_are_compiled(carried: Kernels, suffix: str) -> None:
    for file in (carried.folder / "tricktake_kernels").rglob(f"*.{suffix}"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    value, hits, stderr = carried.run()
    assert (value, hits) == (20, 0)
    assert stderr.count("cannot be read") == 1


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_compiled_kernels_name_no_files_of_numbas() -> None:
    """A message of numba's brings the path of its source into the code, which a wheel of kernels may not have."""
    three(np.int64(1))
    kept = list(_shelf.kernel_cache().glob("tricktake._kernels/*.nbc"))
    assert kept
    named = [file.name for file in kept if b"/site-packages/numba/" in file.read_bytes()]
    assert not named


def test_place_of_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TRICKTAKE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert _shelf.cache_root() == tmp_path / "xdg" / "tricktake"
    monkeypatch.setenv("TRICKTAKE_CACHE_DIR", str(tmp_path / "own"))
    assert _shelf.cache_root() == tmp_path / "own"
    monkeypatch.delenv("TRICKTAKE_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _shelf.cache_root() == tmp_path / ".cache" / "tricktake"


def test_key_changes_with_any_source(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    keys = {_shelf.kernel_cache(tmp_path)}
    (tmp_path / "b.py").write_text("2")
    keys.add(_shelf.kernel_cache(tmp_path))
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    keys.add(_shelf.kernel_cache(tmp_path))
    keys.add(_shelf.kernel_cache())
    assert len(keys) == 4


def test_a_function_without_a_file_compiles(python) -> None:
    done = python("-c", "from tricktake.jit import njit\nprint(njit(lambda x: x + 1)(1))", NUMBA_DISABLE_JIT="0")
    assert done.stdout == "2\n", done.stderr


def test_old_folders_are_pruned(tmp_path: Path) -> None:
    now = time.time()
    folders = [tmp_path / f"{n:02}" for n in range(_shelf.KEPT + 4)]
    for n, folder in enumerate(folders):  # the first two of the surplus were used within the hour
        folder.mkdir()
        (folder / "code.nbc").write_text("")
        age = 3600 if n < _shelf.KEPT + 2 else 10 * _shelf.PRUNE_AFTER
        os.utime(folder, (now - age - n, now - age - n))
    _shelf._prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == folders[: _shelf.KEPT + 2]


def test_numba_still_finds_linear_algebra(python) -> None:
    pytest.importorskip("scipy")
    code = (
        "import sys, numba, numpy as np\nfrom tricktake.jit import njit\n"
        "assert njit(lambda a: a + 1)(1) == 2 and 'scipy.linalg' not in sys.modules\n"
        "print(numba.njit(lambda a: np.dot(a, a))(np.ones((2, 2)))[0, 0])"
    )
    done = python("-c", code, NUMBA_DISABLE_JIT="0")
    assert done.stdout.strip() == "2.0", done.stderr


def test_one_process_compiles_at_a_time(tmp_path: Path, python) -> None:
    fcntl = pytest.importorskip("fcntl")
    kernels = Kernels(tmp_path, python, "mini")
    kernels.run()
    (file,) = kernels.cache.glob("kernels/*/lock")
    code = RUN.format(folder=str(tmp_path), module="mini._kernels.caller")
    env = {**os.environ, "TRICKTAKE_CACHE_DIR": str(kernels.cache), "NUMBA_DISABLE_JIT": "0"}
    with file.open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        other = subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(5.0)
        fcntl.flock(lock, fcntl.LOCK_UN)
    assert other.communicate(timeout=60)[0] == "20 1\n"


# ---- the vectorizer ---------------------------------------------------------------------------------------------


def total(a):
    found = 0
    for i in range(a.shape[0]):
        found += a[i]
    return found


def is_vectorized(kernel: Any) -> bool:
    kernel(np.arange(10))
    return any(re.search(r"<\d+ x i64>", text) for text in kernel.inspect_llvm().values())


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_loops_are_vectorized_where_that_is_wanted() -> None:
    assert numba.config.LOOP_VECTORIZE == 1  # numba's own setting is left alone
    assert not is_vectorized(_uncached(total))
    assert is_vectorized(_uncached(total, vectorize=True))
    assert is_vectorized(numba.njit(total))  # a user's own function, after ours
    assert numba.config.LOOP_VECTORIZE == 1


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_called_kernel_has_its_own_setting() -> None:
    inner = _uncached(total, vectorize=True, inline="never")

    def outer(a):
        return inner(a)

    assert is_vectorized(_uncached(outer))


def _uncached(function: Any, **options: Any) -> Any:
    """Compiled afresh, as code found on disk cannot be looked at."""
    copy = types.FunctionType(function.__code__, function.__globals__, closure=function.__closure__)
    copy.__module__ = function.__module__
    kernel = njit(**options)(copy)
    kernel._cache = NullCache()
    return kernel


# ---- code as a whole --------------------------------------------------------------------------------------------


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_what_only_kernels_call_takes_only_what_it_reads() -> None:
    """An array is seven words, of which the kernel reads one. It calls itself twice, so LLVM leaves it a function."""
    kernel = _uncached(sums)
    assert kernel(np.arange(4), 3) == 3 + (2 + 1 + 0) + 1
    (text,) = kernel.inspect_llvm().values()
    (arguments,) = re.findall(r"^define internal [^(]*\(([^)]*)\)", text, re.MULTILINE)
    assert arguments.count(",") < 7


def sums(a, n):
    return _sums(a, n)


@_jit.lean
def _sums(a, n):
    return a[n] if n < 2 else a[n] + _sums(a, n - 1) + _sums(a, n - 2)
