"""Which offsets are block numbers times something, computed in 32 bits.

They wrap around in a pool of more than 2^31 numbers, which takes gigabytes: no case has one, so it is seen from how an
offset is computed. What a kernel loads from a table of whole numbers is marked, and so is all that integer arithmetic
in 32 bits makes of it; a conversion to 64 bits takes the mark away.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

MARK = "block number in 32 bits"
CARRYING = (
    *("create_mul", "create_add", "create_sub", "create_shl", "create_or", "create_select", "create_int_cast"),
    *("create_splat", "create_broadcast", "create_expand_dims", "create_reshape", "create_trans"),
)


def mark(handle: Any) -> None:
    """It holds block numbers."""
    handle.attr[MARK] = True


def is_marked(value: Any) -> bool:
    """Whether it was made of block numbers, in 32 bits all the way."""
    return MARK in getattr(value, "attr", ())


def carry_marks(builder: Any, found: Callable[[int], None]) -> None:
    """What is made of marked numbers is marked. found: told how many elements are reached at marked offsets."""
    for name in CARRYING:
        if original := getattr(builder, name, None):
            setattr(builder, name, _carrying(original))
    add = builder.create_addptr

    @functools.wraps(add)
    def reached(self: Any, pointers: Any, offsets: Any) -> Any:
        if is_marked(offsets):
            found(offsets.data.size)
        return add(self, pointers, offsets)

    builder.create_addptr = reached


def _carrying(original: Any) -> Any:
    @functools.wraps(original)
    def carried(self: Any, *operands: Any) -> Any:
        made = original(self, *operands)
        if any(map(is_marked, operands)) and made.data.dtype.itemsize <= 4:
            mark(made)
        return made

    return carried
