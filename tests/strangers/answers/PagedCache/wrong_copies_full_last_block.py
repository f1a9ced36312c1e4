# Copies the last block whenever it is shared, also when it is full and never written again: an unneeded block is taken (other tables and counts, OutOfBlocks too early) after a fork at a block border.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        length, table = self.lengths.get(sequence, 0), list(self.tables.get(sequence, []))
        have = len(table) * self.block_size - length  # empty slots of the last block
        more = max(0, -(-(k.shape[1] - have) // self.block_size))
        last_is_shared = len(table) > 0 and self.allocator.counts()[table[-1]] > 1
        new = self.allocator.allocate(more + 1 if last_is_shared else more)
        if last_is_shared:
            self.k[new[0]] = self.k[table[-1]]
            self.v[new[0]] = self.v[table[-1]]
            self.allocator.free(table[-1:])
            table[-1:] = new[:1]
            new = new[1:]
        table = table + new
        for token, place in enumerate(range(length, length + k.shape[1])):
            block = table[place // self.block_size]
            self.k[block, :, place % self.block_size] = k[:, token]
            self.v[block, :, place % self.block_size] = v[:, token]
        self.tables[sequence] = table
        self.lengths[sequence] = length + k.shape[1]

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child], self.lengths[child] = list(self.tables[parent]), self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.lengths.pop(sequence)
        self.allocator.free(self.tables.pop(sequence))

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        tokens = range(self.lengths[sequence])
        places = [(self.tables[sequence][i // self.block_size], i % self.block_size) for i in tokens]
        k = torch.stack([self.k[b, :, s] for b, s in places], dim=1)
        return k, torch.stack([self.v[b, :, s] for b, s in places], dim=1)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
