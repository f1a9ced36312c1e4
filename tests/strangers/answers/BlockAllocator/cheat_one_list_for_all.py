# allocate hands out its own list, filled anew at each call.
import torch


class BlockAllocator:
    def __init__(self, n_blocks):
        self.holders, self.out = [0] * n_blocks, []

    def allocate(self, n):
        free = [b for b, h in enumerate(self.holders) if h == 0][:n]
        if len(free) < n:
            raise OutOfBlocks(n)
        for b in free:
            self.holders[b] = 1
        self.out[:] = free
        return self.out

    def share(self, blocks):
        if any(self.holders[b] == 0 for b in blocks):
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks):
        if any(self.holders[b] < blocks.count(b) for b in blocks):
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] -= 1

    def counts(self):
        return torch.tensor(self.holders, dtype=torch.int64)
