"""How kernels are compiled; ``_shelf`` keeps the result. All numbers in kernels are int64."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from typing import overload as typing_overload

import numba
from llvmlite.binding import Linkage
from numba.core import config, event, sigutils, types
from numba.core.ccallback import CFunc
from numba.core.cgutils import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload
from numba.np import arrayobj

from tricktake._kernels._shelf import CORE, Shelf, alone, cache_root, first_key, key_of, prepared, say_once

F = TypeVar("F", bound=Callable[..., Any])

MASK64 = (1 << 64) - 1

_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}

# ---- compiling --------------------------------------------------------------------------------------------------


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index into an array, without asking whether it is negative and counts from the end, unless it is written so.

    Asking costs a seventh of a search's time (docs/solver.md). NUMBA_BOUNDSCHECK=1 makes a negative one an error.
    """
    if isinstance(index, ir.Constant):
        return _index_of_numba(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


_index_of_numba = arrayobj.fix_integer_index


class _Whole(JITCodeLibrary):
    """The code of a function that is called from outside, with all it calls, which nobody else can call then.

    So LLVM drops arguments that nobody reads (numba hands an array over as seven words), leaves others in registers,
    and inlines what has one caller: a search takes a quarter less time (docs/solver.md).
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and function.name.startswith("_ZN"):  # compiled by numba
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class _Part(JITCodeLibrary):
    """The code of a function that only kernels call: it is optimised in those, and not before, which would take longer
    for no better code.
    """

    def _optimize_final_module(self) -> None:
        pass


class _Loops(Compiler):
    """A compiler with settings of its own that numba has for the whole process only: LLVM's loop vectorizer, and what
    becomes of an index.

    numba documents no option of a function for either: vectorizing is NUMBA_LOOP_VECTORIZE, and only unsigned indices
    go without the question. So both are changed here and nowhere else, while one function compiles, under numba's lock.
    """

    vectorized: int

    def compile_extra(self, func: Any) -> Any:
        with global_compiler_lock:  # nobody else compiles while the settings are ours
            before = config.LOOP_VECTORIZE, arrayobj.fix_integer_index
            config.LOOP_VECTORIZE, arrayobj.fix_integer_index = self.vectorized, _index
            try:
                self.state.library = self._library(func.__qualname__)
                return super().compile_extra(func)
            finally:  # not numba's: a function that calls this one is still being compiled
                config.LOOP_VECTORIZE, arrayobj.fix_integer_index = before

    def _library(self, name: str) -> JITCodeLibrary:
        """Where the code of a function goes."""
        flags = self.state.flags
        kind = _Part if flags.no_cpython_wrapper and flags.no_cfunc_wrapper and not self.vectorized else _Whole
        library = kind(self.state.targetctx.codegen(), name)
        library.enable_object_caching()
        return library


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

    def compiler(shelf: Shelf | None) -> Any:
        kernel = made(function)
        if shelf is not None:
            kernel._cache = shelf
            kernel.compile = _one_by_one(kernel.compile, shelf.folder)
        return kernel

    return _kept(function, compiler)


def _kept(function: Any, compiler: Callable[[Shelf | None], Any]) -> Any:
    """The function compiled. compiler: gets where its code lies, None if it can lie nowhere."""
    folders = _folders(function)
    key = first_key(folders)
    shelf = None
    # Sources edited under a running process give code of mixed age, which must not be kept.
    if Path(function.__code__.co_filename).is_file() and key == key_of(folders):
        shelf = Shelf(function, cache_root() / "kernels" / key)
        prepared(shelf.folder)
    kernel = compiler(shelf)
    _sources[id(kernel)] = folders
    _kernels.append(kernel)
    _modules.add(function.__module__)
    return kernel


def _one_by_one(compile_for: Callable[[Any], Any], folder: Path) -> Callable[[Any], Any]:
    """The ``compile`` of a dispatcher, which looks on disk first, done by one process at a time."""

    @functools.wraps(compile_for)
    def compiled(signature: Any) -> Any:
        with alone(folder):
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
        signature = sigutils.normalize_signature(numba.int64(numba.types.CPointer(numba.int64)))
        loops = Vectorized if self.vectorize else Scalar

        def compiler(shelf: Shelf | None) -> Any:
            made: Any = CFunc(self.function, signature, locals={}, options=_C_OPTIONS, pipeline_class=loops)
            if shelf is not None:
                made._cache = shelf
            with alone(shelf.folder) if shelf is not None else contextlib.nullcontext():
                made.compile()
            return made

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

QUIET = 2.0  # seconds of compiling that nobody needs to hear of


def announce_compile() -> None:
    """Say once per process that kernels compile. Comes by itself when that takes a while."""
    say_once("tricktake: compiling kernels, which takes its time once ('tricktake warm' compiles all of them) ...")


class _Announcer(event.Listener):
    """Adds up the time of compiling. numba compiles one kernel for the other, under one lock."""

    def __init__(self) -> None:
        self.total = 0.0
        self.began: list[float] = []

    def on_start(self, event: event.Event) -> None:
        now = time.thread_time()
        if id(event.data["dispatcher"]) in _sources and self.total + now - (self.began or [now])[0] >= QUIET:
            announce_compile()
        self.began.append(now)

    def on_end(self, event: event.Event) -> None:
        began = self.began.pop()
        if not self.began:
            self.total += time.thread_time() - began


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
