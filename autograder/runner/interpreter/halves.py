"""tl.reduce with a function of the learner's own: Triton's interpreter folds number by number, 2,000 of them a second.

The function is associative, or a GPU would not give its result either: both halves of an axis are combined at once.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


@functools.cache
def in_halves() -> bool:
    """From now on arrays are combined. False for an interpreter that is not known here."""
    try:
        from triton.runtime.interpreter import ReduceOps

        original, _ = ReduceOps.generic_reduce, ReduceOps.to_tensor
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have both
        return False

    @functools.wraps(original)
    def reduced(self: Any, input: Any) -> Any:
        try:
            folded = input if self.axis is None else _folded(self, input)
        except Exception:  # a function that takes single numbers only, or is wrong: Triton's own words for it
            folded = input
        return original(self, folded)

    ReduceOps.generic_reduce = reduced
    return True


def _folded(reduce: Any, tensors: Any) -> Any:
    """The tensors with a single element along the axis. Neighbours are combined, so that the order is kept."""
    while (n := tensors[0].handle.data.shape[reduce.axis]) > 1:
        datas = [x.handle.data for x in tensors]
        left, right = ([_every_second(reduce, x, first, n) for x in datas] for first in (0, 1))
        combined = reduce.combine_fn.fn(*_tensors(reduce, left, tensors), *_tensors(reduce, right, tensors))
        found = combined if isinstance(combined, tuple) else (combined,)
        rest = [x.take([n - 1] if n % 2 else [], reduce.axis) for x in datas]
        joined = [
            np.concatenate([np.broadcast_to(y.handle.data, a.shape).astype(a.dtype), r], reduce.axis)
            for y, a, r in zip(found, left, rest, strict=True)
        ]
        tensors = _tensors(reduce, joined, tensors)
    return tensors


def _every_second(reduce: Any, data: np.ndarray, first: int, n: int) -> np.ndarray:
    return data.take(range(first, n - n % 2, 2), reduce.axis)


def _tensors(reduce: Any, datas: Any, alike: Any) -> tuple[Any, ...]:
    return tuple(reduce.to_tensor(data, x.dtype.scalar) for data, x in zip(datas, alike, strict=True))
