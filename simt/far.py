"""A launch as the middle of a much larger one, in which an offset of 32 bits wraps around.

No case has tensors of so many gigabytes. So blocks are numbered as if others had come before, and the kernel is given
addresses where the tensors would begin then: an offset of 64 bits leads to where they are, any other far away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

WRAPS = 1 << 32  # elements, at which unsigned offsets do too
ALIKE = 16  # blocks: an address stays aligned as it is


@dataclass(frozen=True)
class Far:
    """What is divided evenly among the blocks along one axis of the grid, from the first to the last.

    axis: 0 is x. tensors, counts: the positions of such arguments of the kernel, and of numbers that say of how many
    rows. rows: how many of them a block has where it is full, if it may have fewer; a launch of others stays as it is.
    """

    axis: int
    tensors: tuple[int, ...]
    counts: tuple[int, ...] = ()
    rows: int = 0
    beyond: int = WRAPS

    def before(self, grid: Sequence[int], arguments: Sequence[Any]) -> int:
        """How many blocks come before, and as many behind; 0 where something is not divided evenly."""
        blocks, sizes = grid[self.axis], [_size(arguments[i]) for i in (*self.tensors, *self.counts)]
        in_part = self.rows and any(_size(arguments[i]) != blocks * self.rows for i in self.counts)
        if not sizes[0] or in_part or any(size % blocks for size in sizes):
            return 0
        return -(-self.beyond * blocks // sizes[0]) // ALIKE * ALIKE + ALIKE

    def moved(self, position: int, value: Any, blocks: int, before: int) -> int:
        """By how much an argument is more: bytes of an address, or rows."""
        if position in self.tensors:
            return -before * (_size(value) // blocks) * int(value.element_size())
        return 2 * before * (int(value) // blocks) if position in self.counts else 0


def _size(argument: Any) -> int:
    return argument.numel() if isinstance(argument, torch.Tensor) else int(argument)
