"""What Triton's interpreter computes more exactly than a GPU: products in tl.dot, quotients, and tiny numbers.

It multiplies all bits, where a tensor core takes TF32's, and any shapes. Unless `input_precision` says otherwise,
Triton rounds float32 operands to TF32, 13 bits shorter. The interpreter takes the word and ignores it, so that an
answer would be right on a laptop and 1e-3 off on a GPU. Sums of fewer than 16 products a GPU's compiler refuses.

`/` is rounded to the nearest float32, and on a GPU `tl.div_rn` alone is: by both a kernel could tell where it runs. So
`/` multiplies by the reciprocal, which is off by as much as a GPU's quotient, two units in the last place.

A product below 2^-126 has fewer bits than others, and so has what is made of it: a kernel could round its numbers by
two factors, out of sight. It comes out as 0, as a GPU's exponentials do. Sums there are exact, and stay as they are.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from simt.subnormals import flushed

from .arithmetic import CREATES

FEWEST = 16  # products in a sum, of operands of 16 bits or more (triton/backends/nvidia/compiler.py)
KNOWN = ["self", "a", "b", "d", "input_precision"]  # Triton 3.6 to 3.9
PRODUCTS = ("fmul", "fdiv", "precise_divf", "fma", "exp", "exp2", "dot")
SHORTENED = "factors that lost bits"  # by a product, and whether it was the first and whether the second of them


@functools.cache
def as_on_tensor_cores(found: Callable[[], None]) -> bool:
    """From now on the interpreter rounds as a GPU does, and `found` is told. False for one that is not known."""
    try:
        from triton.runtime.interpreter import InterpreterBuilder, TensorHandle
    except ImportError:
        return False
    original = InterpreterBuilder.create_dot
    if list(inspect.signature(original).parameters)[: len(KNOWN)] != KNOWN:
        return False

    @functools.wraps(original)
    def rounded(self: Any, a: Any, b: Any, d: Any, input_precision: Any, *rest: Any) -> Any:
        if (products := a.data.shape[-1]) < FEWEST:
            raise ValueError(
                f"tl.dot of sums of {products} products, K = {products}: a GPU's compiler asks for {FEWEST}"
            )
        if not _is_short(input_precision, a, b):
            return original(self, a, b, d, input_precision, *rest)
        found()
        short = [TensorHandle(_to_tf32(x.data), x.dtype) for x in (a, b)]
        made = original(self, *short, d, input_precision, *rest)
        made.attr[SHORTENED] = [loses_bits(x, y) for x, y in zip((a, b), short, strict=True)]
        return made

    InterpreterBuilder.create_dot = rounded
    return True


def shortened(made: Any) -> list[bool]:
    """Which of its two factors lost bits to TF32 in what tl.dot has made; none where they were not rounded to it."""
    found: list[bool] = made.attr.get(SHORTENED, [])
    return found


def _is_short(input_precision: Any, a: Any, b: Any) -> bool:
    """Whether a GPU rounds both factors to TF32."""
    return getattr(input_precision, "name", "") == "TF32" and bool(a.data.dtype == b.data.dtype == np.float32)


def loses_bits(wide: Any, narrow: Any) -> bool:
    """Whether some number of the one handle is another in the second, which holds fewer bits of each."""
    return not np.array_equal(narrow.data.astype(wide.data.dtype), wide.data, equal_nan=True)


def _to_tf32(x: np.ndarray) -> np.ndarray:
    """float32 numbers rounded to the nearest with 10 bits behind the point, halves away from zero."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    return np.where(np.isfinite(x), ((bits + 0x1000) & 0xFFFFE000).view(np.float32), x)


@functools.cache
def without_subnormals() -> bool:
    """From now on the interpreter makes no products, quotients or powers below 2^-126 but 0. False for one that is not
    known.
    """
    try:
        from triton.runtime.interpreter import InterpreterBuilder

        originals = {name: getattr(InterpreterBuilder, CREATES + name) for name in PRODUCTS}
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have them all
        return False
    for name, original in originals.items():
        setattr(InterpreterBuilder, CREATES + name, _flushing(original))
    return True


def _flushing(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def flushing(*operands: Any) -> Any:
        with flushed():
            return original(*operands)

    return flushing


@functools.cache
def as_by_reciprocals() -> bool:
    """From now on the interpreter divides so. False for one that is not known here."""
    try:
        from triton.runtime.interpreter import InterpreterBuilder

        original = InterpreterBuilder.create_fdiv
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have it
        return False

    def divided(self: Any, a: Any, b: Any) -> Any:
        return self.binary_op(a, b, _quotient)

    InterpreterBuilder.create_fdiv = functools.wraps(original)(divided)
    return True


def _quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a / b; in float32 by the reciprocal of b, where that and the result are neither tiny nor infinite."""
    exact: np.ndarray = np.divide(a, b)
    if exact.dtype != np.float32:
        return exact
    with np.errstate(all="ignore"):
        inverse = np.divide(np.float32(1), b, dtype=np.float32)
        by_inverse = np.multiply(a, inverse, dtype=np.float32)
        tiny = np.finfo(np.float32).tiny
        ordinary = np.isfinite(by_inverse) & (np.abs(inverse) >= tiny) & (np.abs(by_inverse) >= tiny)
    np.copyto(exact, by_inverse, where=ordinary)
    return exact
