# Counter for what is asked for, heapq only to take from, checks first and changes after.
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
        self.free_list = list(range(n_blocks))

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} of {len(self.free_list)}")
        taken = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        times = Counter(blocks)
        if any(self.holders[block] < count for block, count in times.items()):
            raise NotHeld(blocks)
        for block, count in times.items():
            self.holders[block] -= count
            if not self.holders[block]:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
