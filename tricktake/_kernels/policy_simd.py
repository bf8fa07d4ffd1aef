"""The few loops a small network spends its time in, sixteen numbers at a time.

Arrays are flat, blocks in them begin at an offset ``at``; widths are multiples of 16 (rows of 64). Without the JIT the
plain functions below run; compiled, the same arithmetic is laid out for the vector units, because LLVM leaves these
loops scalar. Sums in the functions for inference are of whole numbers below 2**24, which a float32 adds exactly in any
order, so both give the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic, overload

LANES = 16
APART = 4  # sums of a layer that run side by side
TOP = 1023.0  # the largest activation, as a whole number


# ---- what they do -----------------------------------------------------------------------------------------------


def sum_rows(weights, at, width, index, n, out):
    """out[:width] = the sum of the rows of int16 ``weights`` named by ``index[:n]``, clipped to 0..TOP.

    The sum is one of int16, which wraps around: exact in any order, and half the work of a wider one.
    """
    total = np.zeros(width, np.int16)
    for i in range(n):
        start = at + index[i] * width
        total += weights[start : start + width]
    out[:width] = np.clip(total, 0, TOP)


def dense(weights, at, n_in, n_out, x, out):
    """Out = bias + x W. The block holds W of shape (n_in, n_out), then the bias."""
    matrix = weights[at : at + n_in * n_out].reshape(n_in, n_out)
    out[:n_out] = weights[at + n_in * n_out : at + (n_in + 1) * n_out] + x[:n_in] @ matrix


def dense_clipped(weights, at, n_in, n_out, x, out, unit):
    """The same, then times ``unit`` (a power of two), rounded down and clipped to 0..TOP."""
    dense(weights, at, n_in, n_out, x, out)
    out[:n_out] = np.clip(np.floor(out[:n_out] * unit), 0, TOP)


def sum_rows_float(weights, at, width, index, n, out):
    """As ``sum_rows`` for float32, not clipped."""
    out[:width] = 0
    for i in range(n):
        start = at + index[i] * width
        out[:width] += weights[start : start + width]


def add_to_rows(weights, at, width, index, n, g):
    """Add ``g`` to each of the rows named."""
    for i in range(n):
        start = at + index[i] * width
        weights[start : start + width] += g[:width]


def add_outer(weights, at, n_in, n_out, x, g):
    """Add the outer product of ``x`` and ``g`` to W, and ``g`` to the bias behind it."""
    weights[at : at + n_in * n_out] += np.outer(x[:n_in], g[:n_out]).ravel()
    weights[at + n_in * n_out : at + (n_in + 1) * n_out] += g[:n_out]


def dense_back(turned, at, n_in, n_out, g, out):
    """Out = W g, from W turned round, (n_out, n_in)."""
    out[:n_in] = g[:n_out] @ turned[at : at + n_in * n_out].reshape(n_out, n_in)


def adam(weights, first, second, gradient, n, rate, keep1, keep2, tiny):
    """A step of Adam on ``n`` weights, ``rate`` with its corrections; the gradient is cleared (Kingma and Ba 2015)."""
    g = gradient[:n]
    first[:n] = keep1 * first[:n] + (np.float32(1) - keep1) * g
    second[:n] = keep2 * second[:n] + (np.float32(1) - keep2) * g * g
    weights[:n] -= rate * first[:n] / (np.sqrt(second[:n]) + tiny)
    gradient[:n] = 0


# ---- the same as machine code -----------------------------------------------------------------------------------

_F, _I16, _I32, _I64 = ir.FloatType(), ir.IntType(16), ir.IntType(32), ir.IntType(64)


def _vector(scalar: Any) -> Any:
    return ir.VectorType(scalar, LANES)


class _Emitter:
    """Writes loops over parts of flat arrays into a function."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.b = builder
        self.args = args
        self.data = [
            context.make_array(t)(context, builder, value=a).data if isinstance(t, numba.types.Array) else None
            for t, a in zip(signature.args, args, strict=True)
        ]

    def n(self, value: int) -> Any:
        return ir.Constant(_I64, value)

    def load(self, array: int, offset: Any, scalar: Any, lanes: int = LANES) -> Any:
        pointer = self.b.gep(self.data[array], [offset])
        if not lanes:
            return self.b.load(pointer)
        kind = ir.VectorType(scalar, lanes)
        found = self.b.load(self.b.bitcast(pointer, kind.as_pointer()))
        found.align = 2 if scalar is _I16 else 4
        return found

    def store(self, value: Any, array: int, offset: Any) -> None:
        pointer = self.b.gep(self.data[array], [offset])
        stored = self.b.store(value, self.b.bitcast(pointer, value.type.as_pointer()))
        stored.align = 4

    def splat(self, value: Any) -> Any:
        kind = _vector(value.type)
        one = self.b.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_I32, 0))
        return self.b.shuffle_vector(one, ir.Constant(kind, ir.Undefined), ir.Constant(_vector(_I32), [0] * LANES))

    def const(self, value: float) -> Any:
        return ir.Constant(_vector(_F), [value] * LANES)

    def call(self, name: str, *values: Any) -> Any:
        kind = values[0].type
        function = cgutils.get_or_insert_function(
            self.b.module, ir.FunctionType(kind, [kind] * len(values)), f"llvm.{name}.v{LANES}f32"
        )
        return self.b.call(function, values)

    def clip(self, value: Any) -> Any:
        low = self.b.select(self.b.fcmp_ordered(">", value, self.const(0.0)), value, self.const(0.0))
        return self.b.select(self.b.fcmp_ordered("<", low, self.const(TOP)), low, self.const(TOP))

    def part(self, vector: Any, number: int) -> Any:
        """Sixteen numbers of a vector."""
        order = ir.Constant(_vector(_I32), [number * LANES + i for i in range(LANES)])
        return self.b.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), order)

    def loop(self, stop: Any, step: int = 1, start: Any = None) -> Any:
        return cgutils.for_range_slice(self.b, start or self.n(0), stop, self.n(step), inc=True)

    def variables(self, count: int, start: Any) -> list[Any]:
        made = [cgutils.alloca_once(self.b, start.type) for _ in range(count)]
        for variable in made:
            self.b.store(start, variable)
        return made

    def add_to(self, variable: Any, value: Any, integer: bool = False) -> None:
        before = self.b.load(variable)
        self.b.store(self.b.add(before, value) if integer else self.b.fadd(before, value), variable)


def _emit_sum_rows(e: _Emitter, scalar: Any) -> None:
    """Arguments: weights, at, width, index, n, out. Rows go by in one pass if they are as wide as usual."""
    at, width, n = e.args[1], e.args[2], e.args[4]
    vectors = (4, 2) if scalar is _I16 else (8, 4)  # of 64 bytes: 128 columns, and 64 for what is left
    lanes = 2 * LANES if scalar is _I16 else LANES
    wide = e.b.and_(width, e.n(-vectors[0] * lanes))
    for tile, start, stop in ((vectors[0], e.n(0), wide), (vectors[1], wide, width)):
        with e.loop(stop, tile * lanes, start) as (column, _):
            totals = e.variables(tile, ir.Constant(ir.VectorType(scalar, lanes), [0] * lanes))
            first = e.b.add(at, column)
            with e.loop(n) as (i, _):
                row = e.b.add(first, e.b.mul(e.load(3, i, _I64, lanes=0), width))
                for k, total in enumerate(totals):
                    part = e.load(0, e.b.add(row, e.n(k * lanes)), scalar, lanes)
                    e.add_to(total, part, integer=scalar is _I16)
            for k, total in enumerate(totals):
                for half in range(lanes // LANES):
                    value = e.part(e.b.load(total), half)
                    if scalar is _I16:
                        value = e.clip(e.b.sitofp(e.b.sext(value, _vector(_I32)), _vector(_F)))
                    e.store(value, 5, e.b.add(column, e.n(k * lanes + half * LANES)))


def _emit_dense(e: _Emitter, clipped: bool) -> None:
    """Arguments: weights, at, n_in, n_out, x, out and, if clipped, unit.

    Four sums run side by side, so that none waits for another. No zero is skipped: a branch that nobody can foresee
    costs more than the products.
    """
    at, n_in, n_out = e.args[1], e.args[2], e.args[3]
    bias = e.b.add(at, e.b.mul(n_in, n_out))
    with e.loop(n_out, 2 * LANES) as (column, _):
        totals = [e.variables(2, e.const(0.0)) for _ in range(APART)]
        for k in range(2):
            e.b.store(e.load(0, e.b.add(e.b.add(bias, column), e.n(k * LANES)), _F), totals[0][k])
        with e.loop(n_in, APART) as (j, _):
            for apart in range(APART):
                place = e.b.add(j, e.n(apart))
                many = e.splat(e.load(4, place, _F, lanes=0))
                row = e.b.add(e.b.add(at, e.b.mul(place, n_out)), column)
                for k, total in enumerate(totals[apart]):
                    weight = e.load(0, e.b.add(row, e.n(k * LANES)), _F)
                    e.b.store(e.call("fmuladd", many, weight, e.b.load(total)), total)
        for k in range(2):
            value = e.b.load(totals[0][k])
            for apart in range(1, APART):
                value = e.b.fadd(value, e.b.load(totals[apart][k]))
            if clipped:
                value = e.clip(e.call("floor", e.b.fmul(value, e.splat(e.args[6]))))
            e.store(value, 5, e.b.add(column, e.n(k * LANES)))


def _emit_add_to_rows(e: _Emitter) -> None:
    """Arguments: weights, at, width, index, n, g."""
    at, width, n = e.args[1], e.args[2], e.args[4]
    with e.loop(n) as (i, _):
        row = e.b.add(at, e.b.mul(e.load(3, i, _I64, lanes=0), width))
        with e.loop(width, 4 * LANES) as (column, _):
            for k in range(4):
                part = e.b.add(column, e.n(k * LANES))
                place = e.b.add(row, part)
                e.store(e.b.fadd(e.load(0, place, _F), e.load(5, part, _F)), 0, place)


def _emit_add_outer(e: _Emitter) -> None:
    """Arguments: weights, at, n_in, n_out, x, g."""
    at, n_in, n_out = e.args[1], e.args[2], e.args[3]
    with e.loop(n_in) as (j, _):
        many = e.splat(e.load(4, j, _F, lanes=0))
        row = e.b.add(at, e.b.mul(j, n_out))
        with e.loop(n_out, 2 * LANES) as (column, _):
            for k in range(2):
                part = e.b.add(column, e.n(k * LANES))
                place = e.b.add(row, part)
                e.store(e.call("fmuladd", many, e.load(5, part, _F), e.load(0, place, _F)), 0, place)
    bias = e.b.add(at, e.b.mul(n_in, n_out))
    with e.loop(n_out, LANES) as (column, _):
        place = e.b.add(bias, column)
        e.store(e.b.fadd(e.load(0, place, _F), e.load(5, column, _F)), 0, place)


def _emit_dense_back(e: _Emitter) -> None:
    """Arguments: turned, at, n_in, n_out, g, out."""
    at, n_in, n_out = e.args[1], e.args[2], e.args[3]
    with e.loop(n_in, 2 * LANES) as (column, _):
        totals = e.variables(2, e.const(0.0))
        with e.loop(n_out) as (j, _):
            many = e.splat(e.load(4, j, _F, lanes=0))
            row = e.b.add(e.b.add(at, e.b.mul(j, n_in)), column)
            for k, total in enumerate(totals):
                weight = e.load(0, e.b.add(row, e.n(k * LANES)), _F)
                e.b.store(e.call("fmuladd", many, weight, e.b.load(total)), total)
        for k, total in enumerate(totals):
            e.store(e.b.load(total), 5, e.b.add(column, e.n(k * LANES)))


def _emit_adam(e: _Emitter) -> None:
    """Arguments: weights, first, second, gradient, n, rate, keep1, keep2, tiny."""
    n, (rate, keep1, keep2, tiny) = e.args[4], (e.splat(value) for value in e.args[5:9])
    one = e.const(1.0)
    with e.loop(n, LANES) as (i, _):
        g = e.load(3, i, _F)
        first = e.b.fadd(e.b.fmul(keep1, e.load(1, i, _F)), e.b.fmul(e.b.fsub(one, keep1), g))
        square = e.b.fmul(e.b.fmul(e.b.fsub(one, keep2), g), g)
        second = e.b.fadd(e.b.fmul(keep2, e.load(2, i, _F)), square)
        step = e.b.fdiv(e.b.fmul(rate, first), e.b.fadd(e.call("sqrt", second), tiny))
        e.store(e.b.fsub(e.load(0, i, _F), step), 0, i)
        e.store(first, 1, i)
        e.store(second, 2, i)
        e.store(e.const(0.0), 3, i)


def _compiled(plain: Callable[..., None], emit: Callable[[_Emitter], None], scalars: tuple[Any, ...] = ()) -> None:
    """Let compiled code call what ``emit`` writes instead of ``plain``. scalars: the types of its last arguments."""

    @intrinsic
    def inner(typing_context, arguments):
        types = list(arguments)
        for i, kind in enumerate(types):
            if isinstance(kind, numba.types.Integer):
                types[i] = numba.int64
        if scalars:
            types[-len(scalars) :] = scalars

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = cgutils.unpack_tuple(builder, args[0])
            given = [
                value if isinstance(kind, numba.types.Array) else context.cast(builder, value, kind, wanted)
                for value, kind, wanted in zip(values, arguments, types, strict=True)
            ]
            emit(_Emitter(context, builder, numba.core.typing.signature(numba.void, *types), given))
            return context.get_dummy_value()

        return numba.void(arguments), code

    names = ", ".join(plain.__code__.co_varnames[: plain.__code__.co_argcount])
    made: dict[str, Any] = {}
    exec(f"def bound(inner):\n    return lambda {names}: inner(({names}))\n", made)
    call = made["bound"](inner)
    exec(f"def choose({names}):\n    return call\n", {"call": call}, made)
    overload(plain)(made["choose"])


_compiled(sum_rows, lambda e: _emit_sum_rows(e, _I16))
_compiled(sum_rows_float, lambda e: _emit_sum_rows(e, _F))
_compiled(dense, lambda e: _emit_dense(e, clipped=False))
_compiled(dense_clipped, lambda e: _emit_dense(e, clipped=True), (numba.float32,))
_compiled(add_to_rows, _emit_add_to_rows)
_compiled(add_outer, _emit_add_outer)
_compiled(dense_back, _emit_dense_back)
_compiled(adam, _emit_adam, (numba.float32,) * 4)
