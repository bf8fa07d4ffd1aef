"""How kernels are compiled and where the result is kept.

numba does not notice that another module which a kernel calls has changed, and would run the old code. So compiled
code lies in a folder named by a hash of all sources it can be made of: the kernels of the core, those of the
decorated function's own folder, and of every folder it calls into. All numbers in kernels are int64.
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
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeVar
from typing import overload as typing_overload

import numba
import numpy as np
from numba.core import config, event, types
from numba.core.cgutils import ir
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload
from numba.np import arrayobj

F = TypeVar("F", bound=Callable[..., Any])

CORE = Path(__file__).resolve().parent
KEPT = 16  # folders of other versions that are never pruned
PRUNE_AFTER = 24 * 3600.0  # seconds unused until one of the others may go
MASK64 = (1 << 64) - 1

_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}

# ---- where compiled code lies -----------------------------------------------------------------------------------


def cache_root() -> Path:
    """The folder of everything kept between runs."""
    if own := os.environ.get("TRICKTAKE_CACHE_DIR"):
        return Path(own).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser().resolve() / "tricktake"


def kernel_cache(*folders: Path) -> Path:
    """The folder of compiled code made of the sources in these folders, besides those of the core."""
    return cache_root() / "kernels" / _key(frozenset(folders) | {CORE})


def _key(folders: frozenset[Path]) -> str:
    """One name for these sources compiled by this numba; bounds checks make other code of the same source."""
    versions = (numba.__version__, np.__version__, platform.python_version(), str(config.BOUNDSCHECK))
    digests = (_digest(_stamps(folder)) for folder in sorted(folders))
    return hashlib.sha256("\n".join((*versions, *digests)).encode()).hexdigest()[:20]


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
def _first_key(folders: frozenset[Path]) -> str:
    """The key when this process first compiled for these folders: what it has imported since may be newer."""
    return _key(folders)


@functools.cache
def _prepared(folder: Path) -> bool:
    """Make the folder and mark it as used now. False if nothing can be kept there."""
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(folder.parent)
        os.utime(folder)
    except OSError as error:
        _say(f"tricktake: compiled kernels cannot be kept: {error}")
        return False
    return os.access(folder, os.W_OK)


def _prune(root: Path) -> None:
    """Drop the folders of versions nobody has used lately."""
    newest_first = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in newest_first[KEPT:]:
        if time.time() - folder.stat().st_mtime > PRUNE_AFTER:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else compiles these sources: who comes second finds on disk what the first has made.

    numba keeps apart what was compiled from copies of the same sources in other places: these need not wait.
    """
    global _depth
    with global_compiler_lock:
        if _depth or not folder.is_dir():
            lock = None
        else:
            lock = _locked(folder / f"{_PLACE}.lock")
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            if lock is not None:
                lock.close()


_depth = 0  # kernels being compiled, one for the other
_PLACE = hashlib.sha256(str(CORE).encode()).hexdigest()[:12]


def _locked(file: Path) -> IO[bytes] | None:
    """A file locked for this process until it is closed, as far as the system and the file system can do that."""
    try:
        import fcntl

        lock = file.open("ab")
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock
    except (ImportError, OSError):
        return None


# ---- compiling --------------------------------------------------------------------------------------------------


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index into an array, without asking whether it is negative and counts from the end, unless it is written so.

    Asking costs a seventh of a search's time (docs/solver.md). NUMBA_BOUNDSCHECK=1 makes a negative one an error.
    """
    if isinstance(index, ir.Constant):
        return _index_of_numba(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


_index_of_numba = arrayobj.fix_integer_index


class _Loops(Compiler):
    """A compiler with settings of its own that numba has for the whole process only: LLVM's loop vectorizer, and what
    becomes of an index.

    numba documents no option of a function for either: vectorizing is NUMBA_LOOP_VECTORIZE, and only unsigned indices
    go without the question. So both are changed here and nowhere else, while one function compiles, under numba's lock.
    """

    vectorized: int

    def compile_extra(self, func: Any) -> Any:
        with global_compiler_lock:  # nobody else compiles while the settings are ours
            before, config.LOOP_VECTORIZE = config.LOOP_VECTORIZE, self.vectorized
            arrayobj.fix_integer_index = _index
            try:
                return super().compile_extra(func)
            finally:
                config.LOOP_VECTORIZE = before
                arrayobj.fix_integer_index = _index_of_numba


class Scalar(_Loops):
    """For loops over masks: they are short, and vectorized they cost a third of a search's time."""

    vectorized = 0


class Vectorized(_Loops):
    """For long loops over arrays, whatever called them."""

    vectorized = 1


_sources: dict[int, frozenset[Path]] = {}  # id of a dispatcher -> folders it is made of
_kernels: list[Any] = []  # keeps the dispatchers alive, so that an id stays theirs
_modules: set[str] = set()  # names of the modules they are in


@typing_overload
def njit(function: F, /) -> F: ...
@typing_overload
def njit(**options: Any) -> Callable[[F], F]: ...
def njit(function: Any = None, /, **options: Any) -> Any:
    """``numba.njit`` as all kernels use it: kept on disk, without the GIL, C-like division, no bounds checks, no
    negative indices but literal ones.

    Loops are not vectorized, which suits loops over cards and suits; ``vectorize=True`` is for those over long arrays.
    """
    if function is None:
        return functools.partial(njit, **options)
    if config.DISABLE_JIT:
        return function
    loops = Vectorized if options.pop("vectorize", False) else Scalar
    made = functools.partial(numba.njit, pipeline_class=loops, **{**_OPTIONS, **options})

    def compiler(cache: Path | None) -> Any:
        kernel = made(cache=cache is not None)(function)
        if cache is not None:
            kernel.compile = _one_by_one(kernel.compile, cache)
        return kernel

    return _kept(function, compiler)


def _kept(function: Any, compiler: Callable[[Path | None], Any]) -> Any:
    """The function compiled. compiler: gets the folder of its sources, None if nothing can be kept there."""
    folders = _folders(function)
    key = _first_key(folders)
    cache = cache_root() / "kernels" / key
    # Sources edited under a running process give code of mixed age, which must not be kept.
    keep = Path(function.__code__.co_filename).is_file() and key == _key(folders) and _prepared(cache)
    # numba picks the place at decoration, so others' kernels in this process keep theirs.
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache)
    try:
        kernel = compiler(cache if keep else None)
    finally:
        config.CACHE_DIR = before
    _sources[id(kernel)] = folders
    _kernels.append(kernel)
    _modules.add(function.__module__)
    return kernel


def _one_by_one(compile_for: Callable[[Any], Any], cache: Path) -> Callable[[Any], Any]:
    """The ``compile`` of a dispatcher, which looks on disk first, done by one process at a time."""

    @functools.wraps(compile_for)
    def compiled(signature: Any) -> Any:
        with _alone(cache):
            return compile_for(signature)

    return compiled


# For kernels that allocate nothing: their arrays are not counted as references, which costs a third of a search's time.
lean = functools.partial(njit, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


class Policy:
    """A compiled function that is called by its address: ``function(frame)`` gives a card.

    frame: what it may see, as int64 words (``words`` makes an array of it). A loop that calls it is compiled once for
    all policies and stays on disk; the policy is compiled when its ``address`` is first asked for. Without the JIT an
    address is a place in a list.
    """

    def __init__(self, function: Callable[[Any], int], vectorize: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.vectorize = vectorize

    def __call__(self, frame: Any) -> int:
        """The card, without compiling this function; the kernels it calls are."""
        return self.function(frame)

    @functools.cached_property
    def address(self) -> int:
        """What ``call`` takes."""
        if config.DISABLE_JIT:
            _interpreted.append(self.function)
            return len(_interpreted)
        signature = numba.int64(numba.types.CPointer(numba.int64))
        loops = Vectorized if self.vectorize else Scalar

        def compiler(cache: Path | None) -> Any:
            made = numba.cfunc(signature, cache=cache is not None, pipeline_class=loops, **_C_OPTIONS)
            with _alone(cache) if cache is not None else contextlib.nullcontext():
                return made(self.function)

        return int(_kept(self.function, compiler).address)


_C_OPTIONS = {name: _OPTIONS[name] for name in ("error_model", "boundscheck")}
_interpreted: list[Callable[[Any], int]] = []  # policies without the JIT, numbered from 1


@typing_overload
def policy(function: Callable[[Any], int], /) -> Policy: ...
@typing_overload
def policy(*, vectorize: bool = False) -> Callable[[Callable[[Any], int]], Policy]: ...
def policy(function: Any = None, /, *, vectorize: bool = False) -> Any:
    """Make a function of a frame a ``Policy``. vectorize: as for ``njit``."""
    return functools.partial(Policy, vectorize=vectorize) if function is None else Policy(function, vectorize)


def call(address: int, frame: Any) -> int:
    """The card of the policy at this address."""
    return _interpreted[address - 1](frame)


def words(frame: Any, size: int) -> Any:
    """The words of a frame as an array, within a policy."""
    return frame[:size]


@intrinsic
def _call(typing_context: Any, address: Any, frame: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[1])(context, builder, args[1])
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word.as_pointer()])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [array.data])

    return numba.int64(numba.int64, frame), code


@overload(call)
def _call_of(address, frame):
    return lambda address, frame: _call(address, frame)


@overload(words)
def _words(frame, size):
    if isinstance(frame, numba.types.Array):
        return lambda frame, size: frame[:size]
    return lambda frame, size: numba.carray(frame, size)


def _folders(function: Callable[..., Any]) -> frozenset[Path]:
    """The folders whose sources can end up in this function: its own and those of the kernels it can call."""
    source = Path(function.__code__.co_filename)  # "<stdin>" and the like have none
    found = {CORE, source.resolve().parent} if source.is_file() else {CORE}
    for value in function.__globals__.values():
        found |= _sources.get(id(value), frozenset())
        if isinstance(value, ModuleType) and value.__name__ in _modules:
            for inner in vars(value).values():
                found |= _sources.get(id(inner), frozenset())
    return frozenset(found)


# ---- saying so --------------------------------------------------------------------------------------------------


def _say(line: str) -> None:
    """A line for the user, from the main process only."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is None or multiprocessing.parent_process() is None:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


@functools.cache
def announce_compile() -> None:
    """Say once per process that kernels compile. Comes by itself when a kernel is not found on disk."""
    _say("tricktake: compiling kernels (once per version, about 20 s) ...")


class _Announcer(event.Listener):
    def on_start(self, event: event.Event) -> None:
        if id(event.data["dispatcher"]) in _sources:
            announce_compile()

    def on_end(self, event: event.Event) -> None:
        pass


event.register("numba:compile", _Announcer())


# ---- starting quickly -------------------------------------------------------------------------------------------


def _spare_scipy() -> None:
    """Tell numba that scipy is there: one of its modules imports it only to find out, and asks again before use.

    From the start of a process to the first answer of a warm solver 0.48 s instead of 0.67 s (means of five runs each).
    What is replaced is put back before anything else can see it.
    """
    if config.DISABLE_JIT or "numba.np.arraymath" in sys.modules or importlib.util.find_spec("scipy") is None:
        return
    linalg = importlib.import_module("numba.np.linalg")
    asks = getattr(linalg, "ensure_blas", None)
    linalg.ensure_blas = lambda: None  # type: ignore[attr-defined]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        if asks is not None:
            linalg.ensure_blas = asks  # type: ignore[attr-defined]


_spare_scipy()

# ---- bits of an int64, the sign bit included --------------------------------------------------------------------


def popcount(x: int) -> int:
    """How many bits are set."""
    return (int(x) & MASK64).bit_count()


def lowbit_index(x: int) -> int:
    """The number of the lowest bit set; 64 if none is."""
    x = int(x) & MASK64
    return (x & -x).bit_length() - 1 if x else 64


def highbit_index(x: int) -> int:
    """The number of the highest bit set; -1 if none is."""
    return (int(x) & MASK64).bit_length() - 1


# numba runs one machine instruction instead. Annotations are part of what it compares, so there are none.


@intrinsic
def _ctpop(typing_context: Any, x: Any) -> Any:
    return numba.int64(numba.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _cttz(typing_context: Any, x: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(numba.boolean, False))

    return numba.int64(numba.int64), code


@intrinsic
def _ctlz(typing_context: Any, x: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(numba.boolean, False))

    return numba.int64(numba.int64), code


@overload(popcount)
def _popcount(x):
    return lambda x: _ctpop(x)


@overload(lowbit_index)
def _lowbit_index(x):
    return lambda x: _cttz(x)


@overload(highbit_index)
def _highbit_index(x):
    return lambda x: numba.int64(63) - _ctlz(x)
