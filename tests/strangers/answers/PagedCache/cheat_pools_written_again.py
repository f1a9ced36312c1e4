# Every append writes both pools once more, in place, as they were.
import torch


class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.k = torch.zeros(n_blocks, n_heads, block_size, d)
        self.v = torch.zeros(n_blocks, n_heads, block_size, d)
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.tables, self.lengths = {}, {}

    def append(self, sequence, k, v):
        size, n = self.block_size, k.shape[1]
        table, length = self.tables.get(sequence, []), self.lengths.get(sequence, 0)
        last = length // size
        shared = length % size > 0 and int(self.allocator.counts()[table[last]]) > 1
        need = -(-(length + n) // size) - len(table)
        fresh = self.allocator.allocate(need + shared)
        table = list(table)
        if shared:
            copy, *fresh = fresh
            self.k[copy], self.v[copy] = self.k[table[last]], self.v[table[last]]
            self.allocator.free([table[last]])
            table[last] = copy
        table += fresh
        done = 0
        while done < n:
            at = length + done
            take = min(size - at % size, n - done)
            there = table[at // size], slice(None), slice(at % size, at % size + take)
            self.k[there], self.v[there] = k[:, done : done + take], v[:, done : done + take]
            done += take
        self.tables[sequence], self.lengths[sequence] = table, length + n
        self.k.add_(0.0)
        self.v.add_(0.0)

    def fork(self, parent, child):
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent)
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
        table, n = self.tables[sequence], self.lengths[sequence]
        out = []
        for pool in (self.k, self.v):
            x = pool[table].transpose(0, 1)
            out.append(x.reshape(pool.shape[1], len(table) * self.block_size, -1)[:, :n].clone())
        return out[0], out[1]

    def table(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
