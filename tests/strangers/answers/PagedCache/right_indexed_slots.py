# Right: one allocate call before anything changes, a fresh table list, all tokens written by one indexed assignment; gather by index.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, ()))
        before = self.lengths.get(sequence, 0)
        after = before + k.shape[1]
        filled = before % self.block_size  # slots taken in the block that is written to next
        shared = filled > 0 and int(self.counts()[table[-1]]) > 1
        missing = -(-after // self.block_size) - len(table)
        fresh = self.allocator.allocate(int(shared) + missing)
        if shared:
            original, table[-1] = table[-1], fresh.pop(0)
            for pool in (self.k, self.v):
                pool[table[-1], :, :filled] = pool[original, :, :filled]
            self.allocator.free([original])
        table += fresh
        token = torch.arange(before, after)
        block = torch.tensor(table)[token // self.block_size]
        slot = token % self.block_size
        self.k[block, :, slot] = k.transpose(0, 1)
        self.v[block, :, slot] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, after

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
        table = torch.tensor(self.tables[sequence], dtype=torch.int64)
        n = self.lengths[sequence]
        ordered = (pool[table].transpose(0, 1).flatten(1, 2) for pool in (self.k, self.v))
        k, v = (x[:, :n].clone() for x in ordered)
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
