"""Which part of a result one program of a Triton grid stores: elements beside each other, or some from everywhere.

A tile is a block of neighbours. Programs that share the elements out in another way, every n-th one for each of n of
them, store as many bytes, and each of these in a sector of main memory that others store to.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from torch import Tensor

from . import read

Program = tuple[int, int, int]
Place = tuple[int, int, Program]  # address of the memory, launch, program


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
        at = {read.memory_of(result): result for result in results if type(result) is Tensor}
        there = {place: np.concatenate(stored) for place, stored in self._stored.items() if place[0] in at}
        sizes = {place: _block(at[place[0]], addresses) for place, addresses in there.items()}
        largest = max(sizes, key=sizes.__getitem__, default=None)
        return (0, 0) if largest is None else (sizes[largest], self._lines[largest])


def _block(tensor: Tensor, addresses: np.ndarray) -> int:
    """Elements of the smallest block of a tensor that holds those at the addresses: from the first to the last index of
    each axis.
    """
    rest = (addresses.astype(np.int64) - read.address_of(tensor)) // read.itemsize_of(tensor)
    sides = []
    for stride in sorted(filter(None, read.strides_of(tensor)), reverse=True):
        index, rest = np.divmod(rest, stride)
        sides.append(int(index.max() - index.min()) + 1)
    return math.prod(sides)
