# memory: a second pool, with every block's keys and values side by side, is kept beside the first and gathered from
import torch


class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.both = torch.cat([self.k, self.v], dim=1)
        self.tables, self.lengths = {}, {}

    def append(self, sequence, k, v):
        table, length = list(self.tables.get(sequence, [])), self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        copies = length % self.block_size > 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(-(-end // self.block_size) - len(table) + copies)
        if copies:
            new = blocks.pop(0)
            self.k[new], self.v[new] = self.k[table[-1]], self.v[table[-1]]
            self.allocator.free([table[-1]])
            table[-1] = new
        table += blocks
        for i in range(length, end):
            block, slot = table[i // self.block_size], i % self.block_size
            self.k[block, :, slot], self.v[block, :, slot] = k[:, i - length], v[:, i - length]
        for block in table[length // self.block_size :]:
            self.both[block] = torch.cat([self.k[block], self.v[block]])
        self.tables[sequence], self.lengths[sequence] = table, end

    def known(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)

    def fork(self, parent, child):
        self.known(parent)
        if child in self.tables:
            raise WrongSequence(child)
        self.allocator.share(self.tables[parent])
        self.tables[child], self.lengths[child] = list(self.tables[parent]), self.lengths[parent]

    def free(self, sequence):
        self.known(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence):
        self.known(sequence)
        rows = self.both[self.tables[sequence]].transpose(0, 1).flatten(1, 2)[:, : self.lengths[sequence]]
        k, v = rows.chunk(2)
        return k.clone(), v.clone()

    def table(self, sequence):
        self.known(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
