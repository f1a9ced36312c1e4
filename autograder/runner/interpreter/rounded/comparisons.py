"""Comparisons: a number that many of them have chosen among others is known to as many bits."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from .known import AMONG_LANES, BITS, BITS_OF_16, CHOSEN, LOADED, NOTHING, ROUNDED, is_float, known_of, marked

_comparison = itertools.count()
BRANCHES = [0]  # that hang on loaded numbers, since the last load or product


def comparison_of(original: Any) -> Any:
    @functools.wraps(original)
    def marking(self: Any, a: Any, b: Any) -> Any:
        of_inputs = [LOADED in known_of(operand) for operand in (a, b)]
        made, known = original(self, a, b), _one_more() if any(of_inputs) else NOTHING
        if any(of_inputs) and not all(of_inputs):
            one, others = (a, b) if of_inputs[0] else (b, a)
            known |= halvings(_lanes_that_meet(one.data, others.data), AMONG_LANES)
        return marked(made, known)

    return marking


def comparison_of_bits(original: Any) -> Any:
    """Of whole numbers: what is chosen by it is a piece of the bits that were compared."""

    @functools.wraps(original)
    def marking(self: Any, *operands: Any) -> Any:
        return marked(original(self, *operands), NOTHING.union(*map(known_of, operands)) & {BITS})

    return marking


def _lanes_that_meet(one: np.ndarray, others: np.ndarray) -> int:
    """With how many different numbers each of `one` is compared."""
    along = [axis for axis, n in enumerate(others.shape) if n > 1 and _varies(others, axis)]
    return math.prod(others.shape[axis] for axis in along if not _varies(one, axis))


def _varies(x: np.ndarray, axis: int) -> bool:
    return bool((x != x.take([0], axis)).any())


def _one_more() -> frozenset[str]:
    """What is known of the result of a comparison."""
    return frozenset({f"{CHOSEN} {next(_comparison)}"})


def halvings(lanes: int, kind: str = CHOSEN) -> frozenset[str]:
    """What is known of one that was chosen among so many: as much as of comparisons that halve them."""
    return frozenset(f"{kind} {next(_comparison)}" for _ in range(min(lanes.bit_length(), BITS_OF_16) - 1))


def once_chosen(known: frozenset[str], made: Any) -> frozenset[str]:
    """What is known of a result, once it is looked at how many comparisons have chosen it."""
    if not (choices := {one for one in known if one.startswith(CHOSEN)}):
        return known
    if made.data.dtype.kind == "b":  # of several comparisons one that says yes or no, of each lane
        return known - choices | ({one for one in choices if one.startswith(AMONG_LANES)} or _one_more())
    if LOADED in known:
        return known - choices
    return known - choices | {BITS} if len(choices) >= BITS_OF_16 else known


def is_piece(operation: str, operands: tuple[Any, ...], made: Any) -> bool:
    """Whether a move has left a piece of a number's bits: in fewer bits, or chosen by a comparison of bits."""
    if operation == "select":
        is_number = is_float(made) and any(LOADED in known_of(operand) for operand in operands[1:])
        return BITS in known_of(operands[0]) and not is_number
    narrower = operation == "int_cast" and made.data.dtype.itemsize < operands[0].data.dtype.itemsize
    return narrower and BITS in known_of(operands[0])


def numbers_told(handle: Any) -> int:
    """How many rounded numbers Python knows, now that it is told what a scalar is: one, once that and the branches
    before it make it known to 16 bits.
    """
    known = known_of(handle)
    if any(one.startswith(CHOSEN) for one in known):
        BRANCHES[0] += 1
        return int(BRANCHES[0] >= BITS_OF_16)
    return int(ROUNDED in known and not is_float(handle))
