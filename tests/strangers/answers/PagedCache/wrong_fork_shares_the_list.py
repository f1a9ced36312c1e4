# The child gets the parent's own list object as its table: blocks that one of them appends, and copies it makes, appear in the other's table too.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        size, L = self.block_size, self.lengths.get(sequence, 0)
        table = self.tables.get(sequence, [])
        cow = bool(L % size) and self.allocator.holders[table[L // size]] > 1
        blocks = self.allocator.allocate(cow + (L + k.shape[1] - 1) // size + 1 - len(table))
        if cow:
            old = table[-1]
            table[-1] = blocks.pop(0)
            self.k[table[-1]] = self.k[old]
            self.v[table[-1]] = self.v[old]
            self.allocator.free([old])
        table.extend(blocks)
        self.tables[sequence] = table
        for i in range(k.shape[1]):
            self.k[table[(L + i) // size], :, (L + i) % size] = k[:, i]
            self.v[table[(L + i) // size], :, (L + i) % size] = v[:, i]
        self.lengths[sequence] = L + k.shape[1]

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent]
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence]
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        ids = torch.tensor(self.tables[sequence], dtype=torch.long)
        n = self.lengths[sequence]
        k = torch.cat(list(self.k[ids]), dim=1)[:, :n]
        v = torch.cat(list(self.v[ids]), dim=1)[:, :n]
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
