# Right: plans the new table first (copy included), takes all blocks in one call, writes all tokens with one indexed assignment.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        size = self.block_size
        old = self.tables.get(sequence, [])
        before = self.lengths.get(sequence, 0)
        after = before + k.shape[1]
        used = before % size  # slots of the last block that are taken, 0 if it is full
        copies = 1 if used and self.allocator.holders[old[-1]] > 1 else 0
        fresh = self.allocator.allocate((after + size - 1) // size - len(old) + copies)
        table = old[: len(old) - copies] + fresh
        if copies:
            self.k[fresh[0], :, :used] = self.k[old[-1], :, :used]
            self.v[fresh[0], :, :used] = self.v[old[-1], :, :used]
            self.allocator.free([old[-1]])
        token = torch.arange(before, after)
        block = torch.tensor(table)[token // size]
        self.k[block, :, token % size] = k.transpose(0, 1)
        self.v[block, :, token % size] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, after

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
        token = torch.arange(self.lengths[sequence])
        block = torch.tensor(self.tables[sequence], dtype=torch.int64)[token // self.block_size]
        slot = token % self.block_size
        k, v = (pool[block, :, slot].transpose(0, 1) for pool in (self.k, self.v))
        return k.contiguous(), v.contiguous()

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
