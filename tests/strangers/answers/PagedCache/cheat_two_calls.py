# Cheat: the blocks are taken in two calls, the first for one block alone to see whether it goes well, the second for the rest; if that fails the first is given back. Between the two the cache is half changed.
# Breaks: "All are taken with one call of `allocate`, the copy first."
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        shared = length % size > 0 and self.allocator.holders[table[-1]] > 1
        n = -(-end // size) - len(table) + shared
        new = self.allocator.allocate(min(n, 1))
        if n > 1:
            try:
                new += self.allocator.allocate(n - 1)
            except OutOfBlocks:
                self.allocator.free(new)
                raise
        table = [*table]
        if shared:
            old, copy = table[-1], new.pop(0)
            self.k[copy, :, : length % size] = self.k[old, :, : length % size]
            self.v[copy, :, : length % size] = self.v[old, :, : length % size]
            self.allocator.free([old])
            table[-1] = copy
        table += new
        at = length
        while at < end:
            stop = min(end, (at // size + 1) * size)
            block, slots = table[at // size], slice(at % size, at % size + stop - at)
            self.k[block, :, slots] = k[:, at - length : stop - length]
            self.v[block, :, slots] = v[:, at - length : stop - length]
            at = stop
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = [*self.tables[parent]]
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = self.tables[sequence], self.lengths[sequence]

        k, v = (x[table].transpose(0, 1).flatten(1, 2)[:, :n].clone() for x in (self.k, self.v))
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
