# Right: collections.Counter arithmetic, heapq.nsmallest-free pops, a private generator, class constants, __contains__
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class BlockAllocator:
    """Numbered blocks, and how many holders each of them has."""

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def __contains__(self, block: int) -> bool:
        return self.holders[block] > 0

    def allocate(self, n: int) -> list[int]:
        if (missing := n - len(self.free_list)) > 0:
            raise OutOfBlocks(f"{missing} blocks too few")
        taken = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(block in self for block in blocks):
            raise NotHeld(*(block for block in blocks if block not in self))
        for block, times in Counter(blocks).items():
            self.holders[block] += times

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        if any(self.holders[block] < times for block, times in named.items()):
            raise NotHeld(blocks)
        for block, times in named.items():
            self.holders[block] -= times
            if block not in self:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)


a = BlockAllocator(3)
a.share(a.allocate(2))
print(a.counts(), 2 in a)
