# tables and lengths are lists with a place for each number up to 255: other numbers of sequences find none
class PagedCache:
    def __init__(self, n_blocks, block_size, n_heads, d):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables = [None] * 256
        self.lengths = [0] * 256

    def there(self, sequence):
        if self.tables[sequence] is None:
            raise WrongSequence(sequence)
        return self.tables[sequence]

    def append(self, sequence, k, v):
        table, length, size = self.tables[sequence] or [], self.lengths[sequence], self.block_size
        end = length + k.shape[1]
        copy = length % size > 0 and self.allocator.holders[table[-1]] > 1
        new = self.allocator.allocate(-(-end // size) - len(table) + copy)
        if copy:
            first = new.pop(0)
            for pool in (self.k, self.v):
                pool[first] = pool[table[-1]]
            self.allocator.free(table[-1:])
            table[-1] = first
        table = table + new
        for i in range(length, end):
            self.k[table[i // size], :, i % size] = k[:, i - length]
            self.v[table[i // size], :, i % size] = v[:, i - length]
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent, child):
        table = self.there(parent)
        if self.tables[child] is not None:
            raise WrongSequence(child)
        self.allocator.share(table)
        self.tables[child], self.lengths[child] = list(table), self.lengths[parent]

    def free(self, sequence):
        self.allocator.free(self.there(sequence))
        self.tables[sequence], self.lengths[sequence] = None, 0

    def gather(self, sequence):
        table, n = self.there(sequence), self.lengths[sequence]
        return tuple(pool[table].transpose(0, 1).flatten(1, 2)[:, :n] for pool in (self.k, self.v))

    def table(self, sequence):
        return torch.tensor(self.there(sequence), dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()
