# Right: collections.Counter for names, heapq push/pop, dunder methods, bisect-free, errors chained
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def __contains__(self, block: int) -> bool:
        return self.holders[block] > 0

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} of {len(self.free_list)}")
        taken = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if any(block not in self for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        for block, times in named.items():
            if times > self.holders[block]:
                raise NotHeld(block)
        for block, times in named.items():
            self.holders[block] -= times
            if block not in self:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
