# Right: library-like module head: __all__, __version__, TYPE_CHECKING, functools.lru_cache, cache_info printed
from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["relu_cost"]
__version__ = "0.1.0"
__author__ = "a student"


def _total(numbers: Sequence[int]) -> int:
    return sum(numbers)


@functools.lru_cache(maxsize=None)
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    """What y = max(x, 0) costs, for n numbers in main memory."""
    reads = writes = n
    return n, itemsize * _total((reads, writes))


relu_cost(10, 4)
relu_cost(10, 4)
print(relu_cost.cache_info())
