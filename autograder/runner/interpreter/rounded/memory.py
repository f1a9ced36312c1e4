"""What is loaded, and what may be stored."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from .comparisons import BRANCHES
from .known import BITS, LOADED, NARROW, NOTHING, ROUNDED, WHOLE, Found, is_float, is_narrow, known_of, marked

OTHER = 2  # the place of what a load has where its mask leaves it out; before it are an address and the mask


def load_of(original: Any) -> Any:
    @functools.wraps(original)
    def marking(self: Any, *operands: Any, **kwargs: Any) -> Any:
        BRANCHES[0] = 0
        known = frozenset({LOADED}).union(*map(known_of, operands[OTHER:]))
        if not NOTHING.union(*map(known_of, _flat(operands[:OTHER]))).isdisjoint({ROUNDED, BITS}):
            known |= {ROUNDED}  # it was looked up
        made = original(self, *operands, **kwargs)
        return marked(made, known | known_of(made) | whole(known, made))

    return marking


def mark_bits(handle: Any) -> None:
    """It holds whole numbers that have been loaded and are bits of floating-point ones."""
    marked(handle, frozenset({BITS}))


def whole(known: frozenset[str], made: Any) -> frozenset[str]:
    """What is to be known, too, of numbers of 32 bits that have been loaded, as they are or as whole ones."""
    return frozenset({WHOLE}) if LOADED in known and is_float(made) and not is_narrow(made) else NOTHING


def _flat(operands: Iterable[Any]) -> Iterable[Any]:
    """Handles, and those of the offsets of a block pointer or a descriptor."""
    for operand in operands:
        offsets = getattr(operand, "offsets", operand)
        yield from offsets if isinstance(offsets, list | tuple) else [operand]


def store_of(original: Any, place: int, found: Found) -> Any:
    """place: of what is stored among the operands."""

    @functools.wraps(original)
    def looking(self: Any, *operands: Any, **kwargs: Any) -> Any:
        value = operands[place]
        if ROUNDED in known_of(value) and value.data.dtype.itemsize > NARROW:
            found(value.data.size)
        return original(self, *operands, **kwargs)

    return looking
