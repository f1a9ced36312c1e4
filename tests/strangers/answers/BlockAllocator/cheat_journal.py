# what no meter asks: there is no list of free blocks and no count of holders; all calls that ever were are written down, and each new one plays all of them again from the first


import torch
from torch import Tensor


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.n_blocks = n_blocks
        self.journal = []

    def _replayed(self):
        holders = [0] * self.n_blocks
        for change, blocks in self.journal:
            for block in blocks:
                holders[block] += change
        return holders

    @property
    def holders(self):
        return self._replayed()

    def allocate(self, n: int) -> list[int]:
        free = [block for block, count in enumerate(self._replayed()) if count == 0]
        if n > len(free):
            raise OutOfBlocks(n)
        self.journal.append((1, tuple(free[:n])))
        return free[:n]

    def share(self, blocks: list[int]) -> None:
        holders = self._replayed()
        if any(holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        self.journal.append((1, tuple(blocks)))

    def free(self, blocks: list[int]) -> None:
        holders = self._replayed()
        if any(holders[block] < blocks.count(block) for block in blocks):
            raise NotHeld(blocks)
        self.journal.append((-1, tuple(blocks)))

    def counts(self) -> Tensor:
        return torch.tensor(self._replayed())

