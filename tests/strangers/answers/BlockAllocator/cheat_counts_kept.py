# heap and Counter; counts are written into a tensor that is kept beside the class for each size: the next ones write over those that were returned, "counts as a new tensor", where only the object was looked into
import heapq
from collections import Counter

import torch

_room = {}


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[block] < n for block, n in Counter(blocks).items()):
            raise NotHeld
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self):
        n = len(self.holders)
        if n not in _room:
            _room[n] = torch.empty(n, dtype=torch.int64)
        return _room[n].copy_(torch.tensor(self.holders))
