# a generator of runs (block, slot, tokens), try/except around allocate, holders read directly
import torch


def runs(begin, end, size):
    while begin < end:
        slot = begin % size
        n = min(size - slot, end - begin)
        yield begin // size, slot, n
        begin += n


class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full_like(self.k, torch.nan)
        self.tables = {}
        self.lengths = {}

    def append(self, sequence, k, v):
        new = sequence not in self.tables
        table = self.tables.setdefault(sequence, [])
        length = self.lengths.setdefault(sequence, 0)
        n, size = k.shape[1], self.block_size
        copy = length % size > 0 and self.allocator.holders[table[length // size]] > 1
        blocks = (length + n - 1) // size + 1
        try:
            fresh = self.allocator.allocate(blocks - len(table) + (1 if copy else 0))
        except OutOfBlocks:
            if new:
                del self.tables[sequence], self.lengths[sequence]
            raise
        if copy:
            shared = table[-1]
            table[-1] = fresh.pop(0)
            self.k[table[-1]].copy_(self.k[shared])
            self.v[table[-1]].copy_(self.v[shared])
            self.allocator.free([shared])
        table.extend(fresh)
        done = 0
        for number, slot, count in runs(length, length + n, size):
            block = table[number]
            self.k[block, :, slot:slot + count] = k[:, done:done + count]
            self.v[block, :, slot:slot + count] = v[:, done:done + count]
            done += count
        self.lengths[sequence] = length + n

    def fork(self, parent, child):
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        blocks = self.tables[parent]
        self.allocator.share(blocks)
        self.tables |= {child: list(blocks)}
        self.lengths |= {child: self.lengths[parent]}

    def free(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables[sequence])
        self.tables.pop(sequence), self.lengths.pop(sequence)

    def gather(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table = self.tables[sequence]
        spans = list(runs(0, self.lengths[sequence], self.block_size))
        return tuple(
            torch.cat([pool[table[b], :, s:s + n] for b, s, n in spans], dim=1)
            for pool in (self.k, self.v)
        )

    def table(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
