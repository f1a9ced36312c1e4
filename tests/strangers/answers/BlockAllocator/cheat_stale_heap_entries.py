# Breaks: "What is kept does not grow with the number of calls." (every free pushes its blocks on a second heap, of which only stale numbers at the top are ever dropped; allocate looks for the lowest number itself)
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
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))
        self.recent = []  # numbers given back, lazily cleaned

    def allocate(self, n: int) -> list[int]:
        if n > self.holders.count(0):
            raise OutOfBlocks(n)
        blocks, block = [], 0
        while len(blocks) < n:
            if self.holders[block] == 0:
                blocks.append(block)
                self.holders[block] = 1
            block += 1
        while self.recent and self.holders[self.recent[0]] and self.recent[0] in blocks:
            heapq.heappop(self.recent)
            break
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        if any(self.holders[block] < times for block, times in named.items()):
            raise NotHeld(blocks)
        for block, times in named.items():
            self.holders[block] -= times
            if not self.holders[block]:
                heapq.heappush(self.recent, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
