"""Whose memory is it? A result that is a view of an input, or of an object's own buffers, changes when they do."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Set
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ..arrays import Stream, address_of, are_numbers, items_of, owner_of, still_held_of

DEPTH = 4  # of lists and tables among the values
ATOMS = {int, float, bool, str, type(None)}  # kinds of objects, most of those that an object holds, that hold none


def blocks_of(value: Any, depth: int = DEPTH) -> Iterator[int]:
    """Addresses that name the blocks of memory in which the arrays and tensors among the values lie."""
    torch = sys.modules.get("torch")
    if isinstance(value, np.ndarray):
        if value.size:
            yield address_of(owner_of(value))
            yield address_of(value)  # where a tensor made from it begins
    elif torch and isinstance(value, torch.Tensor):
        yield from _block_of(value)
    elif depth and isinstance(value, (list, tuple, Stream)):
        if isinstance(value, Stream):  # of whose arrays nobody is given more than a copy
            value = [*still_held_of(value), *(item for item in items_of(value) if not isinstance(item, np.ndarray))]
        for item in () if are_numbers(value) else value:
            yield from blocks_of(item, depth - 1)
    elif depth and isinstance(value, dict):
        for item in value.values():
            yield from blocks_of(item, depth - 1)


def _block_of(tensor: Any) -> list[int]:
    """The address of the memory of a tensor's elements, where there are any."""
    from ..tensors import read
    from ..tensors.unseen import unseen

    with unseen():
        return [read.memory_of(tensor)] if read.length_of(tensor) else []


def blocks_within(thing: Any) -> set[int]:
    """Those of all that an object holds, itself or in objects of its own; nothing of classes and modules."""
    torch = sys.modules.get("torch")
    blocks: set[int] = set()
    seen: dict[int, Any] = {}  # held, so that no other object gets its id
    waiting = [thing]
    while waiting:
        value = waiting.pop()
        if type(value) in ATOMS or id(value) in seen or isinstance(value, (type, ModuleType)):
            continue
        seen[id(value)] = value
        if isinstance(value, np.ndarray):
            blocks.update(blocks_of(value))
            waiting += value.reshape(-1).tolist() if value.dtype.hasobject else ()
        elif torch and isinstance(value, torch.Tensor):
            blocks.update(blocks_of(value))
            waiting.append(value.__dict__)  # what was hung on it
        elif isinstance(value, FunctionType):  # of whose module nothing is its own
            waiting += [value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__]
        else:
            waiting += gc.get_referents(value)
    return blocks


def shared(
    values: Iterable[Any],
    inputs: Any,
    held: Set[int] = frozenset(),
    before: Any = None,
    written: Set[int] | None = None,
) -> list[str]:
    """For each value "i" if it lies in the memory of the inputs, "o" in the blocks that an object holds, "r" in the
    memory of the results of a call before, which are still held, "g" if it is not contiguous, "u" if it is not in the
    memory that kernels have written, where that is known; or several of these letters.
    """
    memory = {"i": set(blocks_of(inputs)), "o": held, "r": set(blocks_of(before))}
    return [
        "".join(m for m in memory if not memory[m].isdisjoint(blocks_of(value)))
        + "g" * has_gaps(value)
        + "u" * (written is not None and bool(blocks := {*blocks_of(value)}) and written.isdisjoint(blocks))
        for value in values
    ]


def has_gaps(value: Any) -> bool:
    """Whether it is an array or tensor whose elements do not follow each other in order."""
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        from ..tensors import read
        from ..tensors.unseen import unseen

        with unseen():
            return not read.is_contiguous(value)
    return isinstance(value, np.ndarray) and not value.flags.c_contiguous
