"""Memory of gigabytes of which only the pages that hold an array's elements can be written, and take up any room."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np

FROM = 1 << 30  # bytes: what spans less is ordinary memory


class _Memory:
    """Keeps the mapping for as long as numpy looks at it."""

    def __init__(self, mapping: mmap.mmap, interface: dict[str, Any]):
        self.mapping, self.__array_interface__ = mapping, interface


def empty(shape: tuple[int, ...], dtype: np.dtype, strides: tuple[int, ...], span: int, offset: int) -> np.ndarray:
    """An array of zeros over `span` bytes, which begins `offset` bytes behind the start of a page.

    What lies between the elements reads as zeros and cannot be written: a store there ends the process. Readable pages
    are no data to the kernel, so they count neither as memory in use nor against RLIMIT_DATA.
    """
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    mapping = mmap.mmap(-1, offset + span, flags=flags, prot=mmap.PROT_READ)
    first = np.frombuffer(mapping, np.uint8).ctypes.data + offset
    steps = [np.arange(n) * step for n, step in zip(shape, strides, strict=True)]
    addresses = first + sum(np.ix_(*steps), np.int64(0))
    pages = np.unique(np.stack([addresses, addresses + dtype.itemsize - 1]) // mmap.PAGESIZE)
    protect = ctypes.CDLL(None).mprotect
    for page in pages.tolist():
        if protect(ctypes.c_void_p(page * mmap.PAGESIZE), mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE):
            raise MemoryError("no page of a wide array can be made writable")
    numbers = {
        "shape": shape,
        "typestr": f"|V{dtype.itemsize}",
        "data": (first, False),
        "strides": strides,
        "version": 3,
    }
    return np.asarray(_Memory(mapping, numbers)).view(dtype)
