"""Which offsets are made of block numbers and have 32 bits.

They wrap around in a pool of more than 2^31 numbers, which takes gigabytes: no case has one, so it is seen from how an
offset is computed. What a kernel loads from a table of whole numbers is marked, and so is all that is made of it, by
whatever operation. What counts is how wide a number is where it is an offset, and how wide it was when it was
multiplied: of a product in 32 bits only rows of ROW numbers may be made afterwards, in 64.

A comparison of block numbers is marked as itself: an offset that is one of two others by FEW comparisons at most may
have 32 bits, as where a key that is not there is given place 0. Of more a block number can be made again, and of one,
too, once its lanes meet.

Block pointers and descriptors take offsets of 32 bits alone, and multiply them by strides of 64: those of rows reach
everything, and those of single numbers do not.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any

from .arithmetic import CREATES

MARK = "made of a block number"
# What is found at an offset is no offset, and a pointer holds what it was given: the comparisons that chose it alone.
NO_OFFSETS = ("masked_", "load", "store", "atomic_", "descriptor_", "tensor_pointer_", "addptr", "advance", "make_")
COMPARES = ("icmp", "fcmp")
MIXES = ("trans", "reshape", "split", "join", "cat", "gather", "dot", "histogram")  # by which lanes meet
MULTIPLIES = ("mul", "shl")
NARROW = 4  # bytes
FEW = 2
ROW = 16  # numbers, at least
# Where operations have strides, offsets and the shape of what lies there.
OFFSETS: dict[str, Callable[..., tuple[Any, Any, Any]]] = {
    "create_make_block_ptr": lambda base, shape, strides, offsets, block_shape, order: (strides, offsets, block_shape),
    "create_advance": lambda pointer, offsets: (pointer.strides, offsets, pointer.block_shape),
    "create_descriptor_load": lambda of, indices, *rest: (of.strides, indices, of.block_shape),
}
NOTHING = frozenset[int]()
BLOCKS = frozenset({-1})  # in place of the numbers of comparisons: it holds block numbers
MULTIPLIED = frozenset({-2})  # beside that: in 32 bits
WIDENED = frozenset({-3})  # beside that: after it had been multiplied
_comparison = itertools.count()


def mark(handle: Any, made_of: frozenset[int] = BLOCKS) -> None:
    """It holds block numbers, or what was chosen by these comparisons of such."""
    handle.attr[MARK] = BLOCKS if len(made_of) > FEW and not _has_blocks(made_of) else made_of


def is_marked(value: Any) -> bool:
    """Whether it was made of block numbers."""
    return bool(_made_of(value))


def _made_of(value: Any) -> frozenset[int]:
    """BLOCKS, with what is known of widths, or the comparisons by which it was chosen, if any."""
    attributes = getattr(value, "attr", None)  # empty for most, and this is asked of every operand
    return attributes.get(MARK, NOTHING) if attributes else NOTHING


def _has_blocks(made_of: frozenset[int]) -> bool:
    return made_of.issuperset(BLOCKS)


def carry_marks(builder: Any, folds: Iterable[Any], found: Callable[[int], None]) -> None:
    """What is made of what is marked is marked. folds: reductions and scans. found: told how many elements are reached
    at marked offsets of 32 bits.
    """
    for name in [name for name in dir(builder) if name.startswith(CREATES)]:
        operation = name.removeprefix(CREATES)
        if not operation.startswith(NO_OFFSETS):
            setattr(builder, name, _carrying(getattr(builder, name), operation))
    for fold in folds:
        fold.apply_impl = _folding(fold.apply_impl)
    add = builder.create_addptr

    @functools.wraps(add)
    def reached(self: Any, pointers: Any, offsets: Any) -> Any:
        made_of = _made_of(offsets)
        if _has_blocks(made_of) and (offsets.data.dtype.itemsize <= NARROW or made_of & WIDENED):
            found(offsets.data.size)
        made = add(self, pointers, offsets)
        if is_marked(pointers):
            _mark_made(made, _made_of(pointers))
        return made

    builder.create_addptr = reached
    choose = builder.create_select

    @functools.wraps(choose)
    def chosen(self: Any, *operands: Any) -> Any:
        made = choose(self, *operands)
        if made.dtype.is_ptr() and _has_blocks(_made_of(made)):  # step by step, to wherever an offset leads
            found(made.data.size)
        return made

    builder.create_select = chosen
    make = builder.create_int_to_ptr

    @functools.wraps(make)
    def made_a_pointer(self: Any, numbers: Any, *args: Any) -> Any:
        if is_marked(numbers):  # how wide the offset was that it holds is not known any more
            found(numbers.data.size)
        return make(self, numbers, *args)

    builder.create_int_to_ptr = made_a_pointer
    _look_at_offsets(builder, found)


def _look_at_offsets(builder: Any, found: Callable[[int], None]) -> None:
    """Of block pointers and of descriptors: those which count single numbers, and not rows."""
    for name, parts in OFFSETS.items():
        if original := getattr(builder, name, None):  # Triton 3.9 has no block pointers
            setattr(builder, name, _looking(original, parts, found))


def _looking(original: Any, parts: Callable[..., tuple[Any, Any, Any]], found: Callable[[int], None]) -> Any:
    @functools.wraps(original)
    def looked_at(self: Any, *operands: Any) -> Any:
        strides, offsets, block_shape = parts(*operands)
        for stride, offset in zip(strides, offsets, strict=True):
            if _has_blocks(_made_of(offset)) and abs(int(stride.data.item())) < ROW:
                found(math.prod(block_shape))
        return original(self, *operands)

    return looked_at


def _carrying(original: Any, operation: str) -> Any:
    @functools.wraps(original)
    def carried(self: Any, *operands: Any, **kwargs: Any) -> Any:
        made = original(self, *operands, **kwargs)
        if any(map(_made_of, operands)):
            made_of = _carried_on(NOTHING.union(*map(_made_of, operands)), operation)
            _mark_made(made, _with_widths(made_of, operation, operands, made) if _has_blocks(made_of) else made_of)
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


def _carried_on(made_of: frozenset[int], operation: str) -> frozenset[int]:
    """What the result of an operation is made of if its operands are made of this."""
    blocks = _has_blocks(made_of)
    if blocks and operation.startswith(COMPARES):
        return frozenset({next(_comparison)})
    return made_of & (BLOCKS | MULTIPLIED | WIDENED) | BLOCKS if blocks or operation.startswith(MIXES) else made_of


def _with_widths(made_of: frozenset[int], operation: str, operands: tuple[Any, ...], made: Any) -> frozenset[int]:
    """With what its width, or its operands', says of a number that is made of block numbers."""
    if operation in MULTIPLIES and made.data.dtype.itemsize <= NARROW:
        return made_of | MULTIPLIED
    if operation == "mul" and all(is_marked(x) or x.data.min(initial=ROW) >= ROW for x in operands):
        return made_of - WIDENED
    if operation == "int_cast" and made_of & MULTIPLIED and made.data.dtype.itemsize > NARROW:
        return made_of - MULTIPLIED | WIDENED
    return made_of


def _mark_made(made: Any, made_of: frozenset[int] = BLOCKS) -> None:
    """Mark what an operation has made, or several."""
    for handle in made if isinstance(made, tuple) else (made,):
        if hasattr(handle, "attr"):
            mark(handle, made_of)
