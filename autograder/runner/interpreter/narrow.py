"""Which offsets are made of block numbers and have 32 bits.

They wrap around in a pool of more than 2^31 numbers, which takes gigabytes: no case has one, so it is seen from how an
offset is computed. What a kernel loads from a table of whole numbers is marked, and so is all that is made of it, by
whatever operation: comparisons too, of which a number can be made again. What counts is how wide a number is where it
is an offset.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from .arithmetic import CREATES

MARK = "made of a block number"
# What is found at an offset is no offset, and a pointer holds what it was given.
NO_OFFSETS = ("masked_", "load", "store", "atomic_", "descriptor_", "tensor_pointer_", "addptr", "advance", "make_")
NARROW = 4  # bytes


def mark(handle: Any) -> None:
    """It holds block numbers."""
    handle.attr[MARK] = True


def is_marked(value: Any) -> bool:
    """Whether it was made of block numbers."""
    return MARK in getattr(value, "attr", ())


def carry_marks(builder: Any, folds: Iterable[Any], found: Callable[[int], None]) -> None:
    """What is made of what is marked is marked. folds: reductions and scans. found: told how many elements are reached
    at marked offsets of 32 bits.
    """
    for name in [name for name in dir(builder) if name.startswith(CREATES)]:
        if not name.removeprefix(CREATES).startswith(NO_OFFSETS):
            setattr(builder, name, _carrying(getattr(builder, name)))
    for fold in folds:
        fold.apply_impl = _folding(fold.apply_impl)
    add = builder.create_addptr

    @functools.wraps(add)
    def reached(self: Any, pointers: Any, offsets: Any) -> Any:
        if is_marked(offsets) and offsets.data.dtype.itemsize <= NARROW:
            found(offsets.data.size)
        return add(self, pointers, offsets)

    builder.create_addptr = reached


def _carrying(original: Any) -> Any:
    @functools.wraps(original)
    def carried(self: Any, *operands: Any, **kwargs: Any) -> Any:
        made = original(self, *operands, **kwargs)
        if any(map(is_marked, operands)):
            _mark_made(made)
        return made

    return carried


def _folding(original: Any) -> Any:
    @functools.wraps(original)
    def carried(self: Any, given: Any) -> Any:
        made = original(self, given)
        if any(is_marked(tensor.handle) for tensor in given):
            _mark_made(tuple(tensor.handle for tensor in (made if isinstance(made, list | tuple) else (made,))))
        return made

    return carried


def _mark_made(made: Any) -> None:
    """Mark what an operation has made, or several."""
    for handle in made if isinstance(made, tuple) else (made,):
        if hasattr(handle, "attr"):
            mark(handle)
