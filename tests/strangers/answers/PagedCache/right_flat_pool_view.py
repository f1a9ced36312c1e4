# Slots of the pool as one long axis (heads first, a permuted view), index_put by slot numbers.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _where(self, table: list[int], first: int, last: int) -> tuple[Tensor, Tensor]:
        token = torch.arange(first, last)
        return torch.tensor(table, dtype=torch.long)[token // self.block_size], token % self.block_size

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        full, started = divmod(length, self.block_size)
        shared = bool(started) and int(self.counts()[table[full]]) > 1
        needed = (end + self.block_size - 1) // self.block_size
        new = self.allocator.allocate(needed - len(table) + int(shared))
        if shared:
            old = table.pop()
            for pool in (self.k, self.v):
                pool[new[0]].copy_(pool[old])
            self.allocator.free([old])
        table += new
        block, slot = self._where(table, length, end)
        self.k[block, :, slot] = k.transpose(0, 1)
        self.v[block, :, slot] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        block, slot = self._where(self.tables[sequence], 0, self.lengths[sequence])
        return self.k[block, :, slot].transpose(0, 1), self.v[block, :, slot].transpose(0, 1)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
