# counts are a tensor, indexed by tensors of blocks: one made of no blocks has a float dtype and is no index
import torch


class BlockAllocator:
    def __init__(self, n_blocks):
        self.holders = torch.zeros(n_blocks, dtype=torch.int64)

    def allocate(self, n):
        free = (self.holders == 0).nonzero().flatten()[:n]
        if len(free) < n:
            raise OutOfBlocks(n)
        self.holders[free] = 1
        return free.tolist()

    def share(self, blocks):
        named = torch.tensor(blocks)
        if (self.holders[named] == 0).any():
            raise NotHeld(blocks)
        self.holders.index_add_(0, named, torch.ones_like(named))

    def free(self, blocks):
        named = torch.tensor(blocks)
        left = self.holders.index_add(0, named, -torch.ones_like(named))
        if (left < 0).any():
            raise NotHeld(blocks)
        self.holders = left

    def counts(self):
        return self.holders.clone()
