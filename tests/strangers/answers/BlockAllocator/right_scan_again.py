# Honest: a sorted list by bisect in place of a heap, comprehension and Counter.
import bisect
from collections import Counter

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders: list[int] = [0 for _ in range(n_blocks)]
        self.free_list: list[int] = [*range(n_blocks)]

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} of {len(self.free_list)}")
        taken, self.free_list = self.free_list[:n], self.free_list[n:]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        for block, times in Counter(blocks).items():
            if times > self.holders[block]:
                raise NotHeld(block)
        for block in blocks:
            self.holders[block] -= 1
            if not self.holders[block]:
                bisect.insort(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.as_tensor(self.holders, dtype=torch.int64)
