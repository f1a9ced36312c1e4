# vectorised: places(sequence positions) gives blocks and slots for reading and writing alike; the new table is planned as a list, taken in one call and put in place last; right
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def places(self, table: list[int], begin: int, end: int) -> tuple[Tensor, Tensor]:
        position = torch.arange(begin, end)
        block = torch.tensor(table, dtype=torch.int64)[position // self.block_size]
        return block, position % self.block_size

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        kept = table
        if length % self.block_size and self.allocator.holders[table[-1]] > 1:
            kept = table[:-1]
        in_all = -(-end // self.block_size)
        after = kept + self.allocator.allocate(in_all - len(kept))
        if len(kept) < len(table):
            old, own = table[-1], after[len(kept)]
            self.k[own] = self.k[old]
            self.v[own] = self.v[old]
            self.allocator.free([old])
        block, slot = self.places(after, length, end)
        self.k[block, :, slot] = k.transpose(0, 1)
        self.v[block, :, slot] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = after, end

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
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        block, slot = self.places(self.tables[sequence], 0, self.lengths[sequence])
        return self.k[block, :, slot].transpose(0, 1), self.v[block, :, slot].transpose(0, 1)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
