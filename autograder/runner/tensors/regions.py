"""Which part of a result one program of a Triton grid stores: elements beside each other, or some from everywhere.

A tile is a block of neighbours. Programs that share the elements out in another way, every n-th one for each of n of
them, store as many bytes, and each of these in a sector of main memory that others store to. Who may take two tiles
stores in two pieces; and which tile is whose shows in their order.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np
from torch import Tensor

from . import read

Program = tuple[int, int, int]
Place = tuple[int, int, Program]  # address of the memory, launch, program
Indices = dict[int, np.ndarray]  # along each axis, where elements lie


class Regions:
    """For each program the addresses of what it stores, and the last line in which it does."""

    def __init__(self) -> None:
        self._stored: dict[Place, list[np.ndarray]] = defaultdict(list)
        self._lines: dict[Place, int] = {}

    def store(self, memory: int, launch: int, program: Program, addresses: np.ndarray, line: int) -> None:
        """One program of a launch stores to these addresses of a memory, in this line."""
        place = memory, launch, program
        self._stored[place].append(addresses)
        self._lines[place] = line

    def largest_in(self, results: Iterable[Any]) -> tuple[int, int]:
        """Elements of the smallest block of rows and columns of a result that holds all which one program has stored
        there, of the program of which it is largest, and a line of that; 0 and 0 where no program stores to results.
        """
        return self._most({place: _block(indices) for place, _, indices in self._in(results)})

    def pieces_in(self, results: Iterable[Any]) -> tuple[int, int]:
        """The most pieces, of elements that follow one another in a result, that one program has stored there, and a
        line of that; as `largest_in`.
        """
        return self._most({place: _pieces(tensor, indices) for place, tensor, indices in self._in(results)})

    def out_of_order_in(self, results: Iterable[Any]) -> tuple[int, int]:
        """Programs that begin in a result before one of a smaller number does, and a line of one; as `largest_in`."""
        firsts: dict[tuple[int, int], list[tuple[Program, int]]] = defaultdict(list)
        for (memory, launch, program), tensor, indices in self._in(results):
            firsts[memory, launch].append((program[::-1], int(_flat(tensor, indices).min())))
        late = 0
        for begins in firsts.values():
            order = [begin for _, begin in sorted(begins)]
            late += sum(begin < before for begin, before in zip(order[1:], accumulate(order, max)))
        return (late, max(self._lines.values())) if late else (0, 0)

    def _in(self, results: Iterable[Any]) -> Iterator[tuple[Place, Tensor, Indices]]:
        """For each program that stores to a result: the result, and there, along each axis, the indices."""
        at = {read.memory_of(result): result for result in results if type(result) is Tensor}
        for place, stored in self._stored.items():
            if place[0] in at:
                yield place, at[place[0]], _indices(at[place[0]], np.concatenate(stored))

    def _most(self, counts: dict[Place, int]) -> tuple[int, int]:
        most = max(counts, key=counts.__getitem__, default=None)
        return (0, 0) if most is None else (counts[most], self._lines[most])


def _indices(tensor: Tensor, addresses: np.ndarray) -> Indices:
    """Along each axis that has more than one element, which element of it lies at each address."""
    rest = (addresses.astype(np.int64) - read.address_of(tensor)) // read.itemsize_of(tensor)
    sizes, strides = read.size_of(tensor), read.strides_of(tensor)
    indices = {}
    for axis in sorted(range(len(sizes)), key=strides.__getitem__, reverse=True):
        if sizes[axis] > 1 and strides[axis]:
            indices[axis], rest = np.divmod(rest, strides[axis])
    return indices


def _block(indices: Indices) -> int:
    """Elements of the smallest block of a tensor that holds all: from the first to the last index of each axis."""
    return math.prod(int(index.max() - index.min()) + 1 for index in indices.values())


def _flat(tensor: Tensor, indices: Indices) -> np.ndarray:
    """The places of the elements, as the tensor's axes order them."""
    sizes = read.size_of(tensor)
    flat = np.zeros(1, np.int64)
    for axis, index in sorted(indices.items()):
        flat = flat * sizes[axis] + index
    return flat


def _pieces(tensor: Tensor, indices: Indices) -> int:
    return 1 + int((np.diff(np.unique(_flat(tensor, indices))) > 1).sum())
