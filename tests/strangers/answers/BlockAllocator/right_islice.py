# Right: no heap, the free blocks are those with no holder, taken by itertools.islice; Counter for checks.
from collections import Counter
from itertools import islice

import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def _free_blocks(self):
        return (block for block, count in enumerate(self.holders) if count == 0)

    def _add(self, blocks, amount):
        for block in blocks:
            self.holders[block] += amount

    def allocate(self, n: int) -> list[int]:
        taken = list(islice(self._free_blocks(), n))
        if len(taken) < n:
            raise OutOfBlocks(f"{n} wanted, {len(taken)} free")
        self._add(taken, 1)
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        self._add(blocks, 1)

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        if any(self.holders[block] < times for block, times in named.items()):
            raise NotHeld(blocks)
        self._add(blocks, -1)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
