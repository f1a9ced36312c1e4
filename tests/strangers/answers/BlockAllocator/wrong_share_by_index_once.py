# Adds 1 by a fancy index: a block named twice is counted once.
import heapq
from collections import Counter

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.held = torch.zeros(n_blocks, dtype=torch.int64)

    def _times(self, blocks):
        return torch.bincount(torch.tensor(blocks, dtype=torch.int64), minlength=len(self.held))

    def allocate(self, n: int) -> list[int]:
        idle = torch.nonzero(self.held == 0).flatten()[:n]
        if idle.numel() != n:
            raise OutOfBlocks
        self.held[idle] = 1
        return idle.tolist()

    def share(self, blocks: list[int]) -> None:
        times = self._times(blocks)
        if bool(((times > 0) & (self.held == 0)).any()):
            raise NotHeld
        self.held[torch.tensor(blocks, dtype=torch.int64)] += 1

    def free(self, blocks: list[int]) -> None:
        times = self._times(blocks)
        if bool((times > self.held).any()):
            raise NotHeld
        self.held -= times

    def counts(self) -> Tensor:
        return self.held.clone()
