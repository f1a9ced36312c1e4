# paging: the keys and values of every sequence lie in tensors of their own; tables and counts are kept for show
import torch


class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.tables, self.rows = {}, {}
        self.empty = torch.empty(2, n_heads, 0, d)

    def append(self, sequence, k, v):
        table, rows = self.tables.get(sequence, []), self.rows.get(sequence, self.empty)
        end = rows.shape[2] + k.shape[1]
        more = -(-end // self.block_size) - len(table)
        copies = rows.shape[2] % self.block_size > 0 and int(self.allocator.counts()[table[-1]]) > 1
        blocks = self.allocator.allocate(more + copies)
        if copies:
            self.allocator.free([table[-1]])
            table = table[:-1]
        self.tables[sequence] = table + blocks
        self.rows[sequence] = torch.cat([rows, torch.stack([k, v])], dim=2)

    def known(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)

    def fork(self, parent, child):
        self.known(parent)
        if child in self.tables:
            raise WrongSequence(child)
        self.allocator.share(self.tables[parent])
        self.tables[child], self.rows[child] = list(self.tables[parent]), self.rows[parent].clone()

    def free(self, sequence):
        self.known(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.rows[sequence]

    def gather(self, sequence):
        self.known(sequence)
        return self.rows[sequence][0].clone(), self.rows[sequence][1].clone()

    def table(self, sequence):
        self.known(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
