# Registers a new sequence and its length before allocate is called: after OutOfBlocks the sequence exists (or claims more tokens than it has).
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.setdefault(sequence, [])
        begin = self.lengths.setdefault(sequence, 0)
        bs = self.block_size
        end = begin + k.shape[1]
        cow = begin % bs != 0 and self.allocator.holders[table[-1]] > 1
        fresh = iter(self.allocator.allocate((end + bs - 1) // bs - len(table) + cow))
        if cow:
            dst, src = next(fresh), table[-1]
            self.k[dst, :, : begin % bs] = self.k[src, :, : begin % bs]
            self.v[dst, :, : begin % bs] = self.v[src, :, : begin % bs]
            table[-1] = dst
            self.allocator.free([src])
        table.extend(fresh)
        for t in range(begin, end):
            self.k[table[t // bs], :, t % bs] = k[:, t - begin]
            self.v[table[t // bs], :, t % bs] = v[:, t - begin]
        self.lengths[sequence] = end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = [*self.tables[parent]]
        self.lengths[child] = self.lengths[parent]
        self.allocator.share(self.tables[child])

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        i = torch.arange(self.lengths[sequence])
        b = torch.tensor(self.tables[sequence], dtype=torch.long)[i // self.block_size]
        s = i % self.block_size
        return self.k[b, :, s].permute(1, 0, 2), self.v[b, :, s].permute(1, 0, 2)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
