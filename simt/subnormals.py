"""Numbers below 2^-126, by way of which a product can lose its last bits where nothing sees it.

In a kernel's C++ sums of less than that come out as 0 too, which a GPU keeps: the register knows no operations. So
`l + 1e-38f` would be 0 where l is 0, and `source.with_normal_numbers` writes 2^-126 there. A number like that which is
given as an argument, or made by a product, is still lost in a sum with 0.
"""

import contextlib
import ctypes
import os
import platform
from collections.abc import Iterator
from functools import cache
from typing import Any

Environment = ctypes.c_uint32 * 8  # glibc's fenv_t; the last word is the register that says how numbers are rounded
FLUSH_RESULTS = 1 << 15  # and not operands, so that a denominator of 1e-38 stays what it is


@cache
def _environments() -> tuple[Any, Any, Any]:
    """Who sets that register, and how it is: with such results, and without; None where it is another register."""
    if platform.machine() != "x86_64" or "glibc" not in (os.confstr("CS_GNU_LIBC_VERSION") or ""):
        return None, None, None
    library, plain = ctypes.CDLL(None), Environment()
    library.fegetenv(plain)
    return library.fesetenv, plain, Environment(*plain[:-1], plain[-1] | FLUSH_RESULTS)


@contextlib.contextmanager
def flushed() -> Iterator[None]:
    """Within this context they come out as 0, as they do of a GPU's exponentials; on x86-64 with glibc."""
    put, plain, flushing = _environments()
    if put is None:
        yield
        return
    put(flushing)
    try:
        yield
    finally:
        put(plain)
