# Counts first, one allocate, then changes; whole slices of blocks are written in a loop over blocks.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length, n, size = self.lengths.get(sequence, 0), k.shape[1], self.block_size
        copy = length % size > 0 and self.allocator.counts()[table[-1]].item() > 1
        more = -(-(length + n) // size) - len(table)
        fresh = self.allocator.allocate(more + copy)
        table = list(table)
        if copy:
            old, new = table[-1], fresh.pop(0)
            self.k[new] = self.k[old]
            self.v[new] = self.v[old]
            self.allocator.free([old])
            table[-1] = new
        table += fresh
        done = 0
        while done < n:
            block, slot = table[(length + done) // size], (length + done) % size
            m = min(size - slot, n - done)
            self.k[block, :, slot : slot + m] = k[:, done : done + m]
            self.v[block, :, slot : slot + m] = v[:, done : done + m]
            done += m
        self.tables[sequence], self.lengths[sequence] = table, length + n

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
        table = torch.tensor(self.tables[sequence], dtype=torch.int64)
        n = self.lengths[sequence]
        k, v = (pool[table].transpose(0, 1).flatten(1, 2)[:, :n] for pool in (self.k, self.v))
        return k.clone(), v.clone()

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
