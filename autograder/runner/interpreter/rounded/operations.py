"""Operations on each number by itself."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..precision import loses_bits
from .comparisons import is_piece, once_chosen
from .folds import FOLDED
from .known import (
    BITS,
    DROWNED,
    HANDED_ON,
    LOADED,
    NOTHING,
    POWER,
    RAISED,
    REMAINDER,
    ROUNDED,
    SQUARED,
    WHOLE,
    Found,
    are_inputs,
    is_float,
    is_narrow,
    is_wide,
    known_of,
    marked,
    widened,
)
from .memory import whole

SQUARES = 6  # which lose as many of float32's 24 bits; honest kernels square a number once, if at all
ROUNDS = ("fp_trunc", "fp_to_fp", "fp_to_si", "fp_to_ui", "floor", "ceil")
BENDS = ("sqrt", "precise_sqrt", "rsqrt", "sin", "cos", "erf")
EXPONENTIALS, LOGARITHMS, SCALES = ("exp", "exp2"), ("log", "log2"), ("fmul", "fdiv", "precise_divf", "fneg")
# By which a number stays what it is, another one is taken, or its sign changes.
MOVES: tuple[str, ...] = ("splat", "unsplat", "expand_dims", "broadcast", "trans", "reshape", "cat", "join", "split")
MOVES += ("gather", "select", "fp_ext", "si_to_fp", "ui_to_fp", "int_cast", "max", "min", "clampf", "fabs", "iabs")
MOVES += ("xor", "addptr", "int_to_ptr", "ptr_to_int")
ADDS = ("fadd", "fsub", "fma")
LARGER = 256  # times as large as a term, a sum keeps 16 bits of it; no kernel adds an input of a product to another


def operation_of(original: Any, operation: str, found: Found) -> Any:
    rounds, moves = operation.startswith(ROUNDS), operation.startswith(MOVES)
    bends, takes_log, scales = operation in BENDS, operation in LOGARITHMS, operation in SCALES
    adds = rounds or bends or takes_log or operation in ("bitcast", "frem")  # to what is known of its operands
    power = frozenset({POWER, RAISED}) if operation in EXPONENTIALS else NOTHING

    @functools.wraps(original)
    def marking(self: Any, *operands: Any, **kwargs: Any) -> Any:
        made = original(self, *operands, **kwargs)
        known = NOTHING
        for operand in operands:
            known = known | known_of(operand) if known else known_of(operand)
        takes_log_of_power = takes_log and POWER in known and LOADED in known
        if POWER in known and not (moves or scales):
            known -= {POWER}
        squares = _times_squared(known, operation, operands)
        if operation in ADDS and are_inputs(known) and _drowns(operands, made):
            known |= {DROWNED}
        handed_on = not squares and known <= HANDED_ON | {POWER} and not adds
        if handed_on and (moves or not (is_narrow(made) or is_wide(made))):
            return marked(made, known | power)
        if is_wide(made) and LOADED in known and not moves:
            found(made.data.size)
        if operation == "select" and not any(BITS in known_of(operand) for operand in operands[1:]):
            known -= {BITS}  # of the condition
        known = once_chosen(known, made)
        if moves:
            known |= {ROUNDED} if is_piece(operation, operands, made) else NOTHING
        elif operation == "bitcast":
            if is_float(made):
                known = known - {BITS} | whole(known, made)
            else:
                known |= {BITS} if is_float(operands[0]) else NOTHING
        elif rounds:
            known |= {ROUNDED} if loses_bits(operands[0], made) or _cuts_inputs(known, operands[0], made) else NOTHING
        else:
            narrow = is_narrow(made)
            exact = narrow and not loses_bits(original(self, *map(widened, operands), **kwargs), made)
            if (narrow or ROUNDED in known) and not exact:
                found(made.data.size)
                known -= {ROUNDED, BITS}
            known |= {ROUNDED} if not known.isdisjoint({BITS, REMAINDER}) else NOTHING
            known = known | {REMAINDER} if operation == "frem" else known - {REMAINDER}
        if (bends and LOADED in known) or takes_log_of_power or squares >= SQUARES:
            known |= {ROUNDED}
        known |= power | ({f"{SQUARED} {squares}"} if squares else NOTHING)
        if not moves and made.data.dtype.kind == "b":  # a number that it chooses is whole
            known -= {ROUNDED}
        if FOLDED and ROUNDED in known:
            found(made.data.size)
        return marked(made, known)

    return marking


def _cuts_inputs(known: frozenset[str], operand: Any, made: Any) -> bool:
    """Whether that rounds inputs of 32 bits, or scaled ones: others than those at hand would have lost bits."""
    return are_inputs(known) and (is_narrow(made) or not is_wide(operand))


def _drowns(operands: tuple[Any, ...], made: Any) -> bool:
    """Whether an input is added to what is so much larger that a sum in float32 holds fewer of its bits: it is rounded
    where that is subtracted again.
    """
    with np.errstate(all="ignore"):
        terms = [operand.data for operand in operands]
        first = terms[0] * terms[1] if len(terms) > 2 else terms[0]
        drowned = [
            np.isfinite(made.data) & (term != 0) & (abs(made.data) >= abs(term) * LARGER)
            for term, given in ((first, operands[:-1]), (terms[-1], operands[-1:]))
            if any(WHOLE in known_of(operand) for operand in given)
        ]
    return any(bool(lanes.any()) for lanes in drowned)


def _times_squared(known: frozenset[str], operation: str, operands: tuple[Any, ...]) -> int:
    """How often a product of a number and itself has been squared by now; 0 where it is none."""
    if operation not in ("fmul", "fma") or LOADED not in known:
        return 0
    a, b = (operand.data for operand in operands[:2])
    is_square = a.shape == b.shape and a.size and a.flat[0] == b.flat[0] and np.array_equal(a, b)
    before = (int(one.removeprefix(SQUARED)) for one in known if one.startswith(SQUARED))
    return 1 + max(before, default=0) if is_square and ((a != 0) & (a != 1)).any() else 0
