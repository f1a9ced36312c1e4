"""tl.dot without a GPU: Triton's interpreter multiplies all bits, where a tensor core takes TF32's, and any shapes.

Unless `input_precision` says otherwise, Triton rounds float32 operands to TF32, 13 bits shorter. The interpreter takes
the word and ignores it, so that an answer would be right on a laptop and 1e-3 off on a GPU. Sums of fewer than 16
products a GPU's compiler refuses.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

FEWEST = 16  # products in a sum, of operands of 16 bits or more (triton/backends/nvidia/compiler.py)
KNOWN = ["self", "a", "b", "d", "input_precision"]  # Triton 3.6 to 3.9
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
    """Which of its two factors lost bits to TF32 in what tl.dot has made."""
    found: list[bool] = made.attr.get(SHORTENED, [False, False])
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
