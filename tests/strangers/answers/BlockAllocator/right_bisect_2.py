# style: bisect.insort instead of a heap, any/all, dict comprehension
import bisect

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # always sorted, which is a heap too

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) < n:
            raise OutOfBlocks(n)
        taken, self.free_list = self.free_list[:n], self.free_list[n:]
        for number in taken:
            self.holders[number] += 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[number] for number in blocks):
            raise NotHeld(blocks)
        for number in blocks:
            self.holders[number] += 1

    def free(self, blocks: list[int]) -> None:
        times = {number: blocks.count(number) for number in set(blocks)}
        if any(self.holders[number] < count for number, count in times.items()):
            raise NotHeld(blocks)
        for number, count in times.items():
            self.holders[number] -= count
            if self.holders[number] == 0:
                bisect.insort(self.free_list, number)

    def counts(self) -> Tensor:
        return torch.as_tensor(self.holders)
