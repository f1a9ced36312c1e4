# Breaks: "What is kept does not grow with the number of calls." (a number that has a digit more for each call)
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class BlockAllocator:
    def __init__(self, n_blocks):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))
        self.calls = 1

    def allocate(self, n):
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        self.calls = self.calls * 1024 + n
        got = [heapq.heappop(self.free_list) for _ in range(n)]
        for b in got:
            self.holders[b] = 1
        return got

    def share(self, blocks):
        for b in blocks:
            if self.holders[b] == 0:
                raise NotHeld(b)
        self.calls = self.calls * 1024 + 1
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks):
        for b, n in Counter(blocks).items():
            if self.holders[b] < n:
                raise NotHeld(b)
        self.calls = self.calls * 1024 + 2
        for b in blocks:
            self.holders[b] -= 1
            if self.holders[b] == 0:
                heapq.heappush(self.free_list, b)

    def counts(self):
        return torch.tensor(self.holders)
