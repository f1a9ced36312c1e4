# style: Counter, heapq, f-strings in errors, validation before any change
import heapq
from collections import Counter

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.free_list)} of {len(self.holders)} free)"

    def allocate(self, n: int) -> list[int]:
        if n > (free := len(self.free_list)):
            raise OutOfBlocks(f"asked for {n} blocks, {free} are free")
        taken = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if missing := [block for block in blocks if self.holders[block] == 0]:
            raise NotHeld(f"nobody holds {missing}")
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        for block, times in named.items():
            if self.holders[block] < times:
                raise NotHeld(f"block {block} is held {self.holders[block]} times, freed {times}")
        for block, times in named.items():
            self.holders[block] -= times
            if not self.holders[block]:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
