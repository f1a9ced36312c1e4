# BREAKS: "Returns blocks as new lists of numbers, and counts as a new tensor (n_blocks,) int64."
# COSTS: one list and one tensor serve all calls: what an earlier call returned changes under its owner
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
        self.out = []
        self.number = torch.zeros(n_blocks, dtype=torch.int64)
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        self.free_list.sort()
        self.out[:] = self.free_list[:n]
        del self.free_list[:n]
        for b in self.out:
            self.holders[b] = 1
        return self.out

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[b] == 0 for b in blocks):
            raise NotHeld
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[b] < blocks.count(b) for b in blocks):
            raise NotHeld
        for b in blocks:
            self.holders[b] -= 1
            if self.holders[b] == 0:
                self.free_list.append(b)

    def counts(self) -> Tensor:
        for b, n in enumerate(self.holders):
            self.number[b] = n
        return self.number
