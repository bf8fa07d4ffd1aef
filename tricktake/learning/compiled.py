"""A question's features as one compiled loop; what numba cannot compile runs as Python, with a warning.

A generated module holds the loop. It is cached under a hash of the question's code, so that the next process finds the
compiled form, and a process with other features does not.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from attrs import define
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.extending import overload
from numpy.typing import NDArray

from tricktake._kernels import hash as kernel
from tricktake.archive import replacing
from tricktake.arrays import IntArray
from tricktake.errors import InputError
from tricktake.jit import kernel_cache, njit
from tricktake.learning.code import plain, uses
from tricktake.learning.rows import RowArray

if TYPE_CHECKING:
    from tricktake.learning.question import Question

log = logging.getLogger("tricktake.learning")

Loop = Callable[..., int]

# A feature fails compiled where it fails as Python.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "python", "boundscheck": True}


@define
class Compiled:
    """loop: fills values, won and index of the rows to keep. python: functions not in the loop, by column or name."""

    loop: Loop | None
    python: dict[int | str, Callable[[Any], Any]]


_compiled: weakref.WeakKeyDictionary[Question, Compiled] = weakref.WeakKeyDictionary()


def found(question: Question, rows: RowArray, where: str = "") -> tuple[IntArray, IntArray, IntArray]:
    """See ``Question.found``."""
    code = compiled(question)
    keep = np.ones(len(rows), np.bool_)
    if excluded := code.python.get("excluded"):
        keep[:] = [not _run(question, "excluded", excluded, rows, i, where) for i in range(len(rows))]
    values, won, index = _values(question, code, rows, keep, False, where)
    if function := code.python.get("won"):
        won[:] = [bool(_run(question, "won", function, rows, i, where)) for i in index.tolist()]
    return values, won, index


def vectors(question: Question, rows: RowArray) -> IntArray:
    """See ``Question.vectors``."""
    return _values(question, compiled(question), rows, np.ones(len(rows), np.bool_), True, "")[0]


def _values(
    question: Question, code: Compiled, rows: RowArray, keep: NDArray[np.bool_], asking: bool, where: str
) -> tuple[IntArray, IntArray, IntArray]:
    """Features, won and row number of the rows that are not excluded; asking: of all rows, and without won."""
    values = np.empty((len(rows), len(question.features)), np.int64)
    won, index = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    if code.loop is None:
        index[: (n := int(keep.sum()))] = np.flatnonzero(keep)
    else:
        try:
            n = code.loop(rows, keep, asking, values, won, index)
        except Exception:
            _blame(question, rows[keep], asking, where)
            raise
    values, won, index = values[:n], won[:n], index[:n]
    for at, function in code.python.items():
        if isinstance(at, int):
            name = question.features[at].name
            values[:, at] = [_whole(question, name, function, rows, i, where) for i in index.tolist()]
    _check_domains(question, rows, values, index, where)
    return values, won, index


def _check_domains(question: Question, rows: RowArray, values: IntArray, index: IntArray, where: str) -> None:
    domains = np.array(question.form.domains, np.int64)
    bad = kernel.first_outside(values, domains)
    if bad >= 0:
        column = int(np.flatnonzero((values[bad] < 0) | (values[bad] >= domains))[0])
        name, domain = question.form.features[column]
        reason = f"is {values[bad, column]}, outside of its domain 0 to {domain - 1}"
        raise InputError(where or None, None, f"feature {name}", f"{reason}, in {_place(rows, int(index[bad]))}")


# ---- Python -----------------------------------------------------------------------------------------------------


class _Game:
    """A row for functions that run as Python: integers, and arrays of int64."""

    __slots__ = ("__dict__",)

    def __init__(self, row: np.void) -> None:
        for name in row.dtype.names or ():
            value = row[name]
            self.__dict__[name] = value.astype(np.int64) if isinstance(value, np.ndarray) else value.item()


def _run(question: Question, name: str, function: Callable[[Any], Any], rows: RowArray, i: int, where: str) -> Any:
    try:
        return function(_Game(rows[i]))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}, in {_place(rows, i)}"
        raise InputError(where or None, None, f"question {question.name}: {name}", reason) from error


def _whole(question: Question, name: str, function: Callable[[Any], Any], rows: RowArray, i: int, where: str) -> int:
    value = _run(question, name, function, rows, i, where)
    if not isinstance(value, (int, np.integer, np.bool_)):
        reason = f"must be a whole number, not {value!r}, in {_place(rows, i)}"
        raise InputError(where or None, None, f"feature {name}", reason)
    return int(value)


def _blame(question: Question, rows: RowArray, asking: bool, where: str) -> None:
    """Raise InputError for the first row and function that raise an exception."""
    for i in range(len(rows)):
        for at, function in _functions(question).items():
            if not (asking and isinstance(at, str)):
                _run(question, question.features[at].name if isinstance(at, int) else at, function, rows, i, where)


def _place(rows: RowArray, i: int) -> str:
    named = f"game {rows[i]['id']}, " if "id" in (rows.dtype.names or ()) else ""
    return f"{named}row {i + 1} of {len(rows)}"


# ---- compiling --------------------------------------------------------------------------------------------------


def compiled(question: Question) -> Compiled:
    """The loop of a question, compiled on first use."""
    if question not in _compiled:
        _compiled[question] = _compile(question)
    return _compiled[question]


def _functions(question: Question) -> dict[int | str, Callable[[Any], Any]]:
    functions: dict[int | str, Any] = {} if question.excluded is None else {"excluded": question.excluded}
    return functions | {"won": question.won} | {i: f.function for i, f in enumerate(question.features)}


def _compile(question: Question) -> Compiled:
    functions = _functions(question)
    if numba.config.DISABLE_JIT:
        return Compiled(None, functions)
    kernels = {at: kernel_of(function) for at, function in functions.items()}
    row = numba.typeof(question.rows.empty(1)).dtype
    try:
        return _loop(question, kernels, {})
    except Exception:  # numba also raises errors of other kinds
        log.debug("question %r cannot be compiled as a whole", question.name, exc_info=True)
    python = {}
    for at, function in kernels.items():
        if (reason := _refused(function, row)) is not None:
            python[at] = functions[at]
            name = f"feature {question.features[at].name!r}" if isinstance(at, int) else repr(at)
            log.warning("question %r: %s runs as Python, much slower: %s", question.name, name, reason)
    return _loop(question, kernels, python)


def _refused(function: Any, row: Any) -> str | None:
    """Why numba does not compile a function of a row that returns an integer."""
    try:
        function.compile((row,))
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return next((line for line in lines if "Failed in" not in line), type(error).__name__)
    (result,) = {signature.return_type for signature in function.nopython_signatures}
    return None if isinstance(result, (numba.types.Integer, numba.types.Boolean)) else f"it gives {result}"


def _loop(question: Question, kernels: dict[int | str, Any], python: dict[int | str, Any]) -> Compiled:
    """The generated loop without the functions in ``python``. Raises NumbaError if numba does not compile it."""
    here = [at for at in kernels if at not in python]
    if not here:
        return Compiled(None, python)
    calls = {at: f"f{at}" for at in here}
    lines = ["def loop(rows, keep, asking, values, won, index):", "    n = 0", "    for i in range(len(rows)):"]
    lines += ["        if not keep[i]:", "            continue", "        game = rows[i]", "        index[n] = i"]
    if "excluded" in calls:
        lines += [f"        if not asking and {calls['excluded']}(game):", "            continue"]
    if "won" in calls:
        lines += ["        if not asking:", f"            won[n] = 1 if {calls['won']}(game) else 0"]
    lines += [f"        values[n, {at}] = whole({calls[at]}(game))" for at in here if isinstance(at, int)]
    lines += ["        n += 1", "    return n", ""]
    source = "\n".join(lines)
    code = sorted(f"{name} {value}" for name, value in question.code.items())
    key = hashlib.sha256("\n".join([source, repr(OPTIONS), repr(question.rows.dtype), *code]).encode()).hexdigest()[:20]
    file = _kept(kernel_cache() / "questions" / key / "question.py", source)
    module = types.ModuleType(f"tricktake_question_{key}")
    sys.modules[module.__name__] = module  # numba asks for the module of what it kept
    space = vars(module)
    space |= {"whole": whole, **{calls[at]: kernels[at] for at in here}}
    exec(compile(source, str(file), "exec"), space)
    nothing = np.empty((0, len(question.features)), np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    try:
        loop = njit(space["loop"])
        loop(question.rows.empty(0), np.empty(0, np.bool_), False, *nothing)
    except ImportError:  # kept, but made of functions in a module that cannot be imported by its name
        loop = numba.njit(**OPTIONS)(space["loop"])
        loop(question.rows.empty(0), np.empty(0, np.bool_), False, *nothing)
    return Compiled(loop, python)


def _kept(file: Path, source: str) -> Path:
    """The file of generated code, written once; without a cache folder nothing is stored."""
    try:
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as beside:
                beside.write_text(source, encoding="utf-8")
    except OSError:
        return Path("<question>")
    return file


_kernels: weakref.WeakKeyDictionary[types.FunctionType, Any] = weakref.WeakKeyDictionary()


def kernel_of(function: Any) -> Any:
    """A function compiled by numba together with the plain functions and features it calls."""
    if isinstance(function, Dispatcher):
        return function
    python = plain(function)
    if python is None:
        return function
    if python not in _kernels:
        _kernels[python] = function  # for a recursive function, which numba then refuses
        space = dict(python.__globals__)
        for name, value in uses(python).items():
            if name in space and _compilable(value):
                space[name] = kernel_of(value)
        cells = [cell.cell_contents for cell in python.__closure__ or ()]
        closure = tuple(types.CellType(kernel_of(v) if _compilable(v) else v) for v in cells)
        copy = types.FunctionType(python.__code__, space, python.__name__, python.__defaults__, closure or None)
        copy.__module__, copy.__qualname__ = python.__module__, python.__qualname__
        _kernels[python] = numba.njit(**OPTIONS)(copy)
    return _kernels[python]


def _compilable(value: Any) -> bool:
    """Whether this is a plain function that numba does not implement itself."""
    if plain(value) is None:
        return False
    context = cpu_target.typing_context
    context.refresh()
    try:
        context.resolve_value_type(value)
    except (NumbaError, TypeError, ValueError):
        return True
    return False


def whole(value: Any) -> int:
    """An integer or boolean as an integer; numba compiles it for no other type."""
    return int(value)


@overload(whole)
def _whole_overload(value):  # type: ignore[no-untyped-def]
    if isinstance(value, (numba.types.Integer, numba.types.Boolean)):
        return lambda value: np.int64(value)
    return None
