"""A hash of the code of a function, which detects tables learned with other code.

It covers the source without comments, docstrings and annotations, and everything the function uses: other functions in
the same way, constants by value. Of numpy and other packages only the names count.
"""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

FOREIGN = ("numpy", "numba", "builtins", "math")

Node = ast.FunctionDef | ast.Lambda


def digest(function: Any) -> str:
    """16 hex digits for a function (a feature, a kernel) and all it uses."""
    parts: set[str] = set()
    waiting, seen = [("", function)], set()
    while waiting:
        name, value = waiting.pop()
        python = plain(value)
        if python is None or _foreign(python.__module__):
            parts.add(f"{name} = {_value(value)}")
        elif (name, python) not in seen:
            seen.add((name, python))
            parts.add(f"{name} = {source_of(python)}")
            waiting.extend(uses(python).items())
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def names_in(function: Any) -> set[str] | None:
    """Every name and text in the code of a function and of all it uses; None if it uses what has no code to look at,
    or looks attributes up by name.
    """
    found: set[str] = set()
    waiting, seen = [function], set()
    while waiting:
        value = waiting.pop()
        python = plain(value)
        if python is None or _foreign(python.__module__):
            if callable(value) and not _known(value):
                return None
        elif python not in seen:
            seen.add(python)
            names = set(_texts(python.__code__))
            if names & {"getattr", "vars"}:
                return None
            found |= names
            waiting.extend(uses(python).values())
    return found


def _known(value: Any) -> bool:
    """Whether a callable is of numpy, numba or Python itself."""
    return _foreign(getattr(value, "__module__", None) or type(value).__module__)


def _texts(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, types.CodeType):
            yield from _texts(constant)
        elif isinstance(constant, (tuple, frozenset)):
            yield from (each for each in constant if isinstance(each, str))


def plain(value: Any) -> types.FunctionType | None:
    """The Python function within a feature or a kernel, or the function itself; None for anything else."""
    value = getattr(value, "function", value)
    value = getattr(value, "py_func", value)
    return value if isinstance(value, types.FunctionType) else None


def uses(function: types.FunctionType) -> dict[str, Any]:
    """The globals and closure values a function refers to, and those of our modules as ``module.name``."""
    named = set(_instructions(function.__code__))
    globals_ = {name for operation, name in named if operation in ("LOAD_GLOBAL", "LOAD_NAME")}
    found = {name: function.__globals__[name] for name in globals_ & function.__globals__.keys()}
    closure = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found |= {name: cell.cell_contents for name, cell in closure}
    for name, value in list(found.items()):
        if isinstance(value, types.ModuleType) and not _foreign(value.__name__):
            found |= {f"{name}.{inner}": getattr(value, inner) for _, inner in named if hasattr(value, inner)}
    return found


def _instructions(code: types.CodeType) -> Iterator[tuple[str, str]]:
    """(operation, name) of instructions with a name, in inner functions, too: ``LOAD_GLOBAL``, ``LOAD_ATTR`` ..."""
    for instruction in dis.get_instructions(code):
        if isinstance(instruction.argval, str):
            yield instruction.opname, instruction.argval
        elif isinstance(instruction.argval, types.CodeType):
            yield from _instructions(instruction.argval)


def _foreign(module: str | None) -> bool:
    return (module or "").partition(".")[0] in FOREIGN


def _value(value: Any) -> str:
    """A constant by value; an object without a stable value by its name or type."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_value, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_value(k)}: {_value(v)}' for k, v in value.items())}}}"
    return str(getattr(value, "__qualname__", getattr(value, "__name__", type(value).__qualname__)))


# ---- source -----------------------------------------------------------------------------------------------------


def source_of(function: types.FunctionType) -> str:
    """The normalised source; if there is none, the byte code of this Python."""
    node = _node(function.__code__)
    if node is None:
        code = function.__code__
        constants = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
        return f"{sys.version_info[:2]} {code.co_code.hex()} {constants!r} {code.co_names}"
    arguments = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    values = [repr(value) for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())]
    if isinstance(node, ast.Lambda):
        body = [f"return {ast.unparse(node.body)}"]
    else:
        documented = ast.get_docstring(node, clean=False) is not None
        body = [ast.unparse(statement) for statement in node.body[documented:]]
    return "\n".join([f"({', '.join(arguments)}) {values}", *body])


def _node(code: types.CodeType) -> Node | None:
    """The node of a function in the tree of its file, if that can be read."""
    tree = _tree("".join(linecache.getlines(code.co_filename)))
    if tree is None:
        return None
    if code.co_name != "<lambda>":
        named = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == code.co_name)
        return next((n for n in named if _first_line(n) == code.co_firstlineno), None)
    # Several lambdas may be on one line: the smallest node that contains all of the code.
    places = [p for p in code.co_positions() if None not in p and p[2:] != (0, 0)]
    begin, end = min((p[0], p[2]) for p in places), max((p[1], p[3]) for p in places)
    fits = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda)
        and node.lineno == code.co_firstlineno
        and (node.body.lineno, node.body.col_offset) <= begin
        and end <= (node.body.end_lineno, node.body.end_col_offset)
    ]
    return min(fits, key=lambda node: len(ast.unparse(node)), default=None)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


@functools.lru_cache(maxsize=64)
def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text) if text else None
    except SyntaxError:
        return None
