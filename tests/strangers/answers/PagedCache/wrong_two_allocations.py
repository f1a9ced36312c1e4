# Takes the copy with one allocate and the further blocks with a second: if the second one raises, the sequence has already moved to the copy and given up its share.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        length = self.lengths.get(sequence, 0)
        table = self.tables.get(sequence, [])
        end = length + k.shape[1]
        if length % self.block_size and self.counts()[table[-1]] > 1:
            (mine,) = self.allocator.allocate(1)
            self.k[mine], self.v[mine] = self.k[table[-1]].clone(), self.v[table[-1]].clone()
            self.allocator.free([table[-1]])
            table[-1] = mine
        extra = self.allocator.allocate(-(-end // self.block_size) - len(table))
        table = table + extra
        for t in range(length, end):
            block, slot = table[t // self.block_size], t % self.block_size
            self.k[block, :, slot] = k[:, t - length]
            self.v[block, :, slot] = v[:, t - length]
        self.tables[sequence] = table
        self.lengths[sequence] = end

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
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        t = torch.tensor(self.tables[sequence], dtype=torch.long)
        n = self.lengths[sequence]
        return tuple(p[t].transpose(0, 1).flatten(1, 2)[:, :n] for p in (self.k, self.v))

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
