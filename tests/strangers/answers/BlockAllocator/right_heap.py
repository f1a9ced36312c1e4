# Right: Java-like checks first, then changes; heapq as given, one loop a method.
import heapq

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    @property
    def available(self) -> int:
        return len(self.free_list)

    def allocate(self, n: int) -> list[int]:
        if self.available < n:
            raise OutOfBlocks("out of blocks: %d wanted, %d free" % (n, self.available))
        result: list[int] = []
        for _ in range(n):
            block = heapq.heappop(self.free_list)
            self.holders[block] = 1
            result.append(block)
        return result

    def share(self, blocks: list[int]) -> None:
        for block in blocks:
            if self.holders[block] <= 0:
                raise NotHeld(block)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        for block in set(blocks):
            if self.holders[block] < blocks.count(block):
                raise NotHeld(block)
        for block in blocks:
            self.holders[block] -= 1
            if not self.holders[block]:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
