# Style: a helper that writes token by token into both pools, gather into fresh empty tensors by a loop over blocks. Right.
class PagedCache:
    """Keys and values of many sequences, in blocks of one pool."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        slot = length % size
        copies = slot > 0 and self.allocator.holders[table[-1]] > 1
        more = -(-end // size) - len(table)
        new = self.allocator.allocate(more + copies)
        table = list(table)
        if copies:
            old, mine = table[-1], new.pop(0)
            self.k[mine, :, :slot] = self.k[old, :, :slot]
            self.v[mine, :, :slot] = self.v[old, :, :slot]
            self.allocator.free([old])
            table[-1] = mine
        table += new
        for i in range(end - length):
            index, offset = divmod(length + i, size)
            for pool, rows in ((self.k, k), (self.v, v)):
                pool[table[index]][:, offset].copy_(rows[:, i])
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, length = self.tables[sequence], self.lengths[sequence]
        return self._read(self.k, table, length), self._read(self.v, table, length)

    def _read(self, pool, table, length):
        out = pool.new_empty(pool.shape[1], length, pool.shape[3])
        for i, block in enumerate(table):
            part = out[:, i * self.block_size : (i + 1) * self.block_size]
            part.copy_(pool[block, :, : part.shape[1]])
        return out

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
