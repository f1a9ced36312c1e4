"""What a Triton kernel computes number by number, counted in the interpreter, and what it multiplies in tl.dot.

A product of two tiles takes a number for each pair that meets, however it is written: along one axis, as a square of
sums, as sums of logarithms. So whatever computes is counted, by the size of its results, and only what computes nothing
is not: views, casts between whole numbers, loads and stores, which others count.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

CREATES = "create_"  # begins the name of every operation of the interpreter's builder
MOVES: tuple[str, ...] = ("masked_", "load", "store", "atomic_", "descriptor_", "tensor_pointer_", "addptr", "advance")
MOVES += ("make_", "dot", "splat", "unsplat", "expand_dims", "broadcast", "trans", "reshape", "cat", "join", "split")
MOVES += ("bitcast", "int_cast", "int_to_ptr", "ptr_to_int", "get_", "print", "assert", "assume", "barrier")
# Those by which floating-point numbers are multiplied, or could be.
MULTIPLIES = {"fmul", "fdiv", "precise_divf", "frem", "fma", "mul", "umulhi"}
MULTIPLIES |= {"exp", "exp2", "log", "log2", "sqrt", "precise_sqrt", "rsqrt", "sin", "cos", "erf"}


class Counts(Protocol):
    """Who is told."""

    def multiply(self, a: np.ndarray, b: np.ndarray, count: int) -> None:
        """A matrix product of so many multiplications."""

    def meet(self, rows: int, sums: int, columns: int) -> None:
        """Tiles of these sizes in a tl.dot."""

    def compute(self, numbers: int, multiplies: bool) -> None:
        """So many numbers, one by one."""

    def take_exponentials(self, numbers: int, natural: bool) -> None:
        """So many of them are exponentials. natural: to base e; otherwise to base 2."""


def count_arithmetic(builder: Any, folds: Iterable[Any], counts: Iterable[Counts]) -> None:
    """From now on all that the builder's operations and the folds, reductions and scans, compute is told to whoever is
    in `counts` then.
    """
    builder.create_dot = _dot(builder.create_dot, counts)
    for name in [name for name in dir(builder) if name.startswith(CREATES)]:
        operation = name.removeprefix(CREATES)
        if not operation.startswith(MOVES):
            counted = _multiplication if operation in MULTIPLIES else _operation
            setattr(builder, name, counted(getattr(builder, name), counts))
    for name, natural in (("create_exp", True), ("create_exp2", False)):
        tell = functools.partial(_exponentials, natural=natural)
        setattr(builder, name, _operation(getattr(builder, name), counts, tell))
    for fold in folds:
        fold.apply_impl = _fold(fold.apply_impl, counts)
        if hasattr(fold, "cumprod"):
            fold.cumprod = _cumulative_product(fold.cumprod, counts)


def _dot(original: Any, counts: Iterable[Counts]) -> Any:
    @functools.wraps(original)
    def counted(self: Any, a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
        for meter in counts:
            meter.multiply(a.data, b.data, a.data.size * b.data.shape[-1])
            meter.meet(a.data.shape[-2], a.data.shape[-1], b.data.shape[-1])
        return original(self, a, b, *args, **kwargs)

    return counted


def _computed(meter: Counts, numbers: int) -> None:
    meter.compute(numbers, multiplies=False)


def _exponentials(meter: Counts, numbers: int, natural: bool) -> None:
    meter.take_exponentials(numbers, natural)


def _operation(original: Any, counts: Iterable[Counts], tell: Callable[[Counts, int], None] = _computed) -> Any:
    @functools.wraps(original)
    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, *args, **kwargs)
        for meter in counts:
            tell(meter, _size(made))
        return made

    return counted


def _multiplication(original: Any, counts: Iterable[Counts]) -> Any:
    """One that is a matrix product written out counts as that."""

    @functools.wraps(original)
    def counted(self: Any, a: Any, *others: Any) -> Any:
        made = original(self, a, *others)
        for meter in counts:
            if others and _are_pairs(a.data, others[0].data):
                meter.multiply(a.data, others[0].data, a.data.size)
            else:
                meter.compute(_size(made), multiplies=a.data.dtype.kind == "f")
        return made

    return counted


def _fold(original: Any, counts: Iterable[Counts]) -> Any:
    @functools.wraps(original)
    def counted(self: Any, given: Any) -> Any:
        for meter in counts:
            meter.compute(sum(_size(tensor.handle) for tensor in given), multiplies=False)
        return original(self, given)

    return counted


def _cumulative_product(original: Any, counts: Iterable[Counts]) -> Any:
    """It multiplies what its axis brings together, in which pairs is not looked at: all of it counts as matrix
    products, since nothing that softmax needs is taken by it.
    """

    @functools.wraps(original)
    def counted(self: Any, given: Any) -> Any:
        numbers = given.handle.data
        for meter in counts if numbers.dtype.kind == "f" else ():
            meter.multiply(numbers, numbers, numbers.size)
        return original(self, given)

    return counted


def _size(handle: Any) -> int:
    """How many numbers an operation has made; 1 of what holds none itself."""
    return int(getattr(getattr(handle, "data", None), "size", 1))


def _are_pairs(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether each of two tiles is repeated along an axis of the other's: every row of one meets every row of the
    other.
    """
    if a.ndim < 2 or a.shape != b.shape:
        return False
    axes = [steps for n, *steps in zip(a.shape, a.strides, b.strides, strict=True) if n > 1]
    return any(a == 0 != b for a, b in axes) and any(b == 0 != a for a, b in axes)
