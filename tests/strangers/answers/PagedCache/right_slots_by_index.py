# Token-wise scatter and gather with index tensors for block and slot.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _where(self, table, begin, end):
        i = torch.arange(begin, end)
        blocks = torch.tensor(table, dtype=torch.int64)
        return blocks[i // self.block_size], i % self.block_size

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        begin = self.lengths.get(sequence, 0)
        end = begin + k.shape[1]
        table = [*self.tables.get(sequence, [])]
        holders = self.allocator.counts()
        copy = bool(begin % self.block_size) and int(holders[table[-1]]) > 1
        total = (end + self.block_size - 1) // self.block_size
        fresh = self.allocator.allocate(total - len(table) + int(copy))
        if copy:
            original = table.pop()
            filled = begin % self.block_size
            for pool in (self.k, self.v):
                pool[fresh[0], :, :filled] = pool[original, :, :filled]
            self.allocator.free([original])
        table.extend(fresh)
        block, slot = self._where(table, begin, end)
        self.k[block, :, slot] = k.transpose(0, 1)
        self.v[block, :, slot] = v.transpose(0, 1)
        self.tables[sequence] = table
        self.lengths[sequence] = end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = self.tables[parent][:]
        self.lengths[child] = self.lengths[parent]
        self.allocator.share(self.tables[child])

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table = self.tables.pop(sequence)
        self.lengths.pop(sequence)
        self.allocator.free(table)

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
