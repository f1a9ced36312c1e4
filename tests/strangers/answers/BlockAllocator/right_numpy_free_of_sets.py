# Free blocks are read off the holders; no second record.
import heapq
from collections import Counter

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def allocate(self, n: int) -> list[int]:
        taken = [b for b, held in enumerate(self.holders) if not held][:n]
        if len(taken) < n:
            raise OutOfBlocks(n)
        self.share_unchecked(taken, 1)
        return taken

    def share_unchecked(self, blocks, by):
        for b in blocks:
            self.holders[b] += by

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[b] == 0 for b in blocks):
            raise NotHeld(blocks)
        self.share_unchecked(blocks, 1)

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[b] < times for b, times in Counter(blocks).items()):
            raise NotHeld(blocks)
        self.share_unchecked(blocks, -1)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
