# Wrong: begins a new sequence and makes its copy-on-write block before it asks for the other blocks (two calls of allocate), so an append that raises OutOfBlocks leaves an empty sequence or an exchanged last block behind; right while there is room.
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
        length = self.lengths.setdefault(sequence, 0)
        offset = length % self.block_size
        if offset != 0 and self.allocator.holders[table[-1]] > 1:
            (copy,) = self.allocator.allocate(1)
            self.k[copy] = self.k[table[-1]]
            self.v[copy] = self.v[table[-1]]
            self.allocator.free(table[-1:])
            table[-1] = copy
        needed = -(-(length + k.shape[1]) // self.block_size)
        if needed > len(table):
            table += self.allocator.allocate(needed - len(table))
        at = 0
        while at < k.shape[1]:
            index, slot = divmod(length + at, self.block_size)
            fits = min(self.block_size - slot, k.shape[1] - at)
            self.k[table[index], :, slot : slot + fits] = k[:, at : at + fits]
            self.v[table[index], :, slot : slot + fits] = v[:, at : at + fits]
            at += fits
        self.lengths[sequence] = length + at

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]
        self.allocator.share(self.tables[parent])

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence], self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, length = self.tables[sequence], self.lengths[sequence]
        return tuple(
            x[table].transpose(0, 1).flatten(1, 2)[:, :length].clone() for x in (self.k, self.v)
        )

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
