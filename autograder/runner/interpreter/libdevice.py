"""NVIDIA's libdevice in Triton's interpreter, which has none of it: its functions as those of triton.language.

A compiled kernel calls the library itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

SAME = {name: name for name in ("exp", "exp2", "log", "log2", "rsqrt", "sqrt")} | {
    "fast_expf": "exp",
    "fast_logf": "log",
}
ASKING: dict[str, Callable[[Any, Any], Any]] = {
    "isnan": lambda language, number: number != number,
    "isinf": lambda language, number: language.abs(number) == float("inf"),
}  # which return 1 or 0


@functools.cache
def with_libdevice() -> bool:
    """From now on kernels may call these functions of libdevice. False where Triton keeps them elsewhere."""
    try:
        from triton.language.extra import libdevice
        from triton.language.extra.cuda import libdevice as of_cuda
        from triton.runtime.interpreter import tl
    except ImportError:  # Triton 3.6 to 3.9 have them there
        return False
    for module in (libdevice, of_cuda):
        for name, same in SAME.items():
            setattr(module, name, _same(tl, same))
        for name, asks in ASKING.items():
            setattr(module, name, _asking(tl, asks))
    return True


def _same(language: Any, name: str) -> Callable[[Any], Any]:
    def of_one_number(number: Any) -> Any:
        return getattr(language, name)(number)  # looked up anew: a running kernel has it replaced

    return of_one_number


def _asking(language: Any, asks: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    def of_one_number(number: Any) -> Any:
        return asks(language, number).to(language.int32)

    return of_one_number
