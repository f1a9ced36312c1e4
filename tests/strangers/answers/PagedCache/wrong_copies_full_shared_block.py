# Copies the last block whenever it is shared, even if it is full and the new tokens go elsewhere: one block too many and a share given up after a fork at a block border.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        total = length + k.size(1)
        need = (total + self.block_size - 1) // self.block_size - len(table)
        must_copy = bool(table) and self.allocator.holders[table[-1]] > 1
        got = self.allocator.allocate(need + int(must_copy))
        if must_copy:
            last, table[-1] = table[-1], got[0]
            self.k[got[0]].copy_(self.k[last])
            self.v[got[0]].copy_(self.v[last])
            self.allocator.free([last])
            got = got[1:]
        table.extend(got)
        for i, p in enumerate(range(length, total)):
            self.k[table[p // self.block_size], :, p % self.block_size] = k[:, i]
            self.v[table[p // self.block_size], :, p % self.block_size] = v[:, i]
        self.tables[sequence] = table
        self.lengths[sequence] = total

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]
        self.allocator.share(self.tables[parent])

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        blocks = self.tables.pop(sequence)
        self.lengths.pop(sequence)
        self.allocator.free(blocks)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        idx = torch.tensor(self.tables[sequence], dtype=torch.long)
        n = self.lengths[sequence]
        pick = lambda pool: pool[idx].transpose(0, 1).reshape(pool.shape[1], -1, pool.shape[3])[:, :n]
        return pick(self.k), pick(self.v)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
