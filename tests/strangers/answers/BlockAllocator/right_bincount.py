# counts of the named blocks by np.bincount
import numpy as np

class BlockAllocator:
    def __init__(self, n_blocks):
        self.holders = np.zeros(n_blocks, dtype=np.int64)

    def allocate(self, n):
        free = np.flatnonzero(self.holders == 0)
        if len(free) < n:
            raise OutOfBlocks(n)
        self.holders[free[:n]] = 1
        return free[:n].tolist()

    def share(self, blocks):
        times = np.bincount(blocks, minlength=len(self.holders))
        if (self.holders[times > 0] == 0).any():
            raise NotHeld(blocks)
        self.holders += times

    def free(self, blocks):
        times = np.bincount(blocks, minlength=len(self.holders))
        if (times > self.holders).any():
            raise NotHeld(blocks)
        self.holders -= times

    def counts(self):
        return torch.tensor(self.holders)
