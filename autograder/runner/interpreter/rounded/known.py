"""What is known of numbers: marks on the handles of Triton's interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

KNOWN = "known of a number"  # a set of these
ROUNDED = "it has been rounded"
CHOSEN = "chosen by comparison"  # and its number, one for each
AMONG_LANES = f"{CHOSEN} of one number with many"  # the same
BITS = "bits of a number"  # taken for an integer: what is computed of them is a number that has been rounded
REMAINDER = "it is what a division left"
LOADED = "it is made of what was loaded"
WHOLE = "it is made of what was loaded in 32 bits"
DROWNED = "it was added to a number so large that others at hand would have lost bits"
PRODUCT = "it is made of a matrix product"
TWICE = "it is made of a matrix product of one"
WEIGHED = "it is made of a matrix product of rounded numbers"
POWER = "it is a power, to which nothing was added"
SQUARED = "squared"  # and how often
RAISED = "it is made of a power"
# By whatever makes other numbers of one.
HANDED_ON = frozenset({LOADED, WHOLE, DROWNED, PRODUCT, TWICE, WEIGHED, RAISED})
LED_TO = frozenset({PRODUCT, TWICE, RAISED})  # by a product or a power
NOTHING: frozenset[str] = frozenset()
BITS_OF_16 = 8  # of a number of 16 bits, at least: fewer would show in the values
NARROW, WIDE = 2, 8  # bytes
Found = Callable[[int], None]


def known_of(value: Any) -> frozenset[str]:
    attributes = getattr(value, "attr", None)  # empty for many, and this is asked of every operand
    return attributes.get(KNOWN, NOTHING) if attributes else NOTHING


def marked(made: Any, known: frozenset[str]) -> Any:
    """What an operation has made, or several."""
    for handle in made if isinstance(made, tuple) else (made,):
        if known and hasattr(handle, "attr"):
            handle.attr[KNOWN] = known
    return made


def is_float(handle: Any) -> bool:
    return bool(handle.data.dtype.kind == "f")  # a comparison's result keeps the dtype of what is compared


def is_narrow(handle: Any) -> bool:
    """Whether it holds floating-point numbers of 16 bits or less."""
    return hasattr(handle, "data") and is_float(handle) and handle.data.dtype.itemsize <= NARROW


def is_wide(handle: Any) -> bool:
    """Whether it holds floating-point numbers of 64 bits."""
    return hasattr(handle, "data") and is_float(handle) and handle.data.dtype.itemsize == WIDE


def widened(handle: Any) -> Any:
    """The same numbers in float32, if they have 16 bits."""
    import triton.language as tl

    return type(handle)(handle.data.astype(np.float32), tl.float32) if is_narrow(handle) else handle


def are_inputs(known: frozenset[str]) -> bool:
    """Whether they have 32 bits, and neither a product nor a power led to them."""
    return WHOLE in known and known.isdisjoint(LED_TO)
