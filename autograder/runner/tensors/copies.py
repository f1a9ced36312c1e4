"""Which operators of torch copy numbers, as they are or each by itself: scaled, masked, in another order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from . import read
from .names import base_name, name_of, of_operator
from .products import REDUCING, addend_of, is_product

COPYING = ("aten.clone", "aten._to_copy", "aten.copy_", "aten.cat", "aten.stack")
# Those that may make whole numbers of others, from which these can be made again.
TO_WHOLE = ("aten._to_copy", "aten.copy_", "aten.frexp", "aten.bucketize", "aten.searchsorted")
WRITING = {  # of a tensor as much as they are given, in place
    *("aten.index_copy", "aten.index_put", "aten._index_put_impl", "aten.put", "aten.scatter", "aten.masked_scatter"),
}


@of_operator
def is_copying(func: Any) -> bool:
    """Whether the numbers of what comes out are those that went in."""
    return name_of(func) in COPYING


@of_operator
def is_made_alike(func: Any) -> bool:
    """Whether an operator asks a tensor for its shape alone."""
    name = name_of(func)
    return name.startswith("aten.new_") or name.endswith("_like")


def bytes_written(func: Any, args: Any, over: Sequence[Tensor], given: Sequence[Tensor]) -> int:
    """Bytes of the floating-point numbers over which an operator writes: of what it gives back whole, and of which it
    writes a part, as many as it is given, or as the places are into which it writes one number.
    """
    written, source = (sum(int(read.bytes_in(x)) for x in numbers if read.is_real(x)) for numbers in (over, given))
    if base_name(func) not in WRITING:
        return written
    return min(written, max(source, _numbers_placed(func, args) * max(map(read.itemsize_of, over), default=0)))


def _numbers_placed(func: Any, args: Any) -> int:
    """How many numbers an operator puts where it is told to, by indices or by one place for each."""
    name = base_name(func)
    if name == "aten.scatter":
        return read.length_of(args[2])
    if name not in ("aten.index_put", "aten._index_put_impl"):
        return 0  # which is given as many as it writes
    sizes, shapes, rest = read.size_of(args[0]), list[Sequence[int]](), list[int]()
    left = [*sizes]
    for index in args[1]:
        if index is None:
            rest.append(left.pop(0))
        elif read.dtype_of(index) in (torch.bool, torch.uint8):
            shapes.append([int(read.number_in(read.count_of(index)))])
            del left[: read.dimensions(index)]
        else:
            shapes.append(read.size_of(index))
            del left[:1]
    return int(math.prod(np.broadcast_shapes(*map(tuple, shapes))) * math.prod([*rest, *left]))


@of_operator
def _places_written(func: Any) -> list[tuple[int, str]]:
    """Place and name of each argument that an operator writes to."""
    given = enumerate(func._schema.arguments)
    return [(place, x.name) for place, x in given if x.alias_info is not None and x.alias_info.is_write]


def written_to(func: Any, args: Any, kwargs: dict[str, Any]) -> list[Tensor]:
    """The tensors of its arguments that an operator writes to."""
    if not func._schema.is_mutable:
        return []
    found = [args[place] if place < len(args) else kwargs.get(name) for place, name in _places_written(func)]
    return [x for x in found if isinstance(x, Tensor)]


def bytes_copied(func: Any, args: Any, inputs: Sequence[Tensor], others: bool, made: Sequence[Tensor]) -> int:
    """Bytes of the copies that an operator makes of inputs. others: whether what inputs led to goes in, too.

    Whatever has as many numbers as the largest input that it is made of stands for a copy of that, however many others
    go in: a product with ones, too, and one of two that is taken. But a product with other numbers is one, and a copy
    of what it is added to alone. What has fewer, and neither sums nor compares along an axis, is a copy of a part of
    them: what is taken from places or put there, whatever else goes in.
    """
    if not inputs or func.is_view or is_made_alike(func):
        return 0
    name, to_whole = base_name(func), name_of(func) in TO_WHOLE
    copies = [x for x in made if read.is_real(x) or (to_whole and read.dtype_of(x) != torch.bool)]
    if is_product(func) and (others or len(set(map(read.memory_of, inputs))) > 1):
        inputs = [x for x in inputs if x is addend_of(func, args)]
        if not inputs:
            return 0
    if is_product(func) or name in REDUCING:
        least = max(map(read.distinct_in, inputs))
        copies = [x for x in copies if read.length_of(x) >= least]
    copied, given = (sum(int(read.bytes_in(x)) for x in numbers) for numbers in (copies, inputs))
    return min(copied, given) if name in WRITING and func._schema.is_mutable else copied
