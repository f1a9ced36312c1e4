# Wrong: allocates the block of the copy first, switches to it and gives up the original, and asks for the further blocks in a second call; if that raises OutOfBlocks the table and the counts have changed already (fork inside a block, then an append too long for the pool); with enough blocks it is right.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _own_last_block(self, table: list[int]) -> None:
        last = table[-1]
        if self.allocator.holders[last] == 1:
            return
        [mine] = self.allocator.allocate(1)
        self.k[mine].copy_(self.k[last])
        self.v[mine].copy_(self.v[last])
        self.allocator.free([last])
        table[-1] = mine

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        length = self.lengths.get(sequence, 0)
        table = self.tables.get(sequence, [])
        end = length + k.shape[1]
        if length % self.block_size:
            self._own_last_block(table)
        table = table + self.allocator.allocate(-(-end // self.block_size) - len(table))
        at = length
        while at < end:
            slot = at % self.block_size
            room = min(self.block_size - slot, end - at)
            block, source = table[at // self.block_size], slice(at - length, at - length + room)
            self.k[block, :, slot : slot + room] = k[:, source]
            self.v[block, :, slot : slot + room] = v[:, source]
            at += room
        self.tables[sequence] = table
        self.lengths[sequence] = end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        table = self.tables[parent][:]
        self.allocator.share(table)
        self.tables[child], self.lengths[child] = table, self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        blocks, n = self.tables[sequence], self.lengths[sequence]
        k = self.k.new_empty(self.k.shape[1], n, self.k.shape[3])
        v = torch.empty_like(k)
        for i, block in enumerate(blocks):
            begin = i * self.block_size
            end = min(n, begin + self.block_size)
            k[:, begin:end] = self.k[block, :, : end - begin]
            v[:, begin:end] = self.v[block, :, : end - begin]
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
