# Copy-on-write copies the keys only, and gather of a sequence in one block returns a view of the pool: values before the fork are NaN in the copy, and results change with later writes.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table, length = list(self.tables.get(sequence, [])), self.lengths.get(sequence, 0)
        end, size = length + k.shape[1], self.block_size
        shared = length % size != 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(-(-end // size) - len(table) + (1 if shared else 0))
        if shared:
            self.k[blocks[0]] = self.k[table[-1]]
            self.allocator.free(table[-1:])
            table = table[:-1]
        table = table + blocks
        for j in range(length, end):
            self.k[table[j // size], :, j % size] = k[:, j - length]
            self.v[table[j // size], :, j % size] = v[:, j - length]
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent][:]
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = self.tables[sequence], self.lengths[sequence]
        if len(table) == 1:
            return self.k[table[0]][:, :n], self.v[table[0]][:, :n]
        cat = lambda pool: torch.cat([pool[b] for b in table], dim=1)[:, :n]
        return cat(self.k), cat(self.v)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
