"""For plugins with kernels of their own: put them in a folder ``_kernels`` of your package and import this.

``@njit`` keeps LLVM from vectorizing loops, which suits searches; ``@njit(vectorize=True)`` is for loops over long
arrays of numbers. An index must not be negative unless it is literal (``x[-1]``): nothing looks for that, but
``NUMBA_BOUNDSCHECK=1`` makes it an IndexError. Functions compiled by ``numba.njit`` itself are left as numba does them.

Such modules import nothing but numpy, each other, this one and ``tricktake.kernels``, since only sources in folders of
kernels decide whether the compiled code on disk is still right. ``tricktake.batch`` plays whole games.
"""

from __future__ import annotations

import functools
import json
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tricktake._kernels._jit import (
    Policy,
    announce_compile,
    highbit_index,
    lowbit_index,
    njit,
    policy,
    popcount,
    words,
)
from tricktake._kernels._shelf import kernel_cache, warm

__all__ = [
    "Policy",
    "announce_compile",
    "constants",
    "highbit_index",
    "interpreted",
    "kernel_cache",
    "lowbit_index",
    "njit",
    "policy",
    "popcount",
    "warm",
    "words",
]

F = TypeVar("F", bound=Callable[..., Any])


def interpreted(kernel: F) -> F:
    """The same kernel as plain Python, with every kernel it calls: the same source, for a single game, where compiling
    or loading compiled code would take longer than the call.

    It takes lists as well as arrays; whole numbers are Python's, so give it no numpy scalars where sums could overflow.
    """
    return _plain(_Key(kernel))


def constants(module: str, name: str) -> Any:
    """The numbers that kernels compile in, of a file ``*_weights.json`` beside them: ``constants(__file__, name)``.

    Compiled code is made again when such a file changes, as for a source.
    """
    return json.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


class _Key:
    """A kernel by identity, as numba's dispatchers compare by more than that."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel

    def __hash__(self) -> int:
        return id(self.kernel)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.kernel is other.kernel


@functools.cache
def _plain(key: _Key) -> Any:
    function = getattr(key.kernel, "py_func", key.kernel)
    names = {name: value for name, value in function.__globals__.items() if name in function.__code__.co_names}
    calls = {name: interpreted(value) for name, value in names.items() if value is not key.kernel and _compiled(value)}
    if not calls and function is key.kernel:
        return function
    own = {**function.__globals__, **calls}
    plain = types.FunctionType(function.__code__, own, function.__name__, function.__defaults__, function.__closure__)
    own[function.__name__] = plain  # a kernel that calls itself
    return plain


def _compiled(value: object) -> bool:
    return hasattr(value, "py_func")
