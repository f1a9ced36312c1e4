# Cheat: writes to the free slots of the last block before it asks for blocks, and clears them again when that raises
# Breaks: "A method that raises has changed nothing, nor written to free slots"
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        inside = length % size
        shared = inside > 0 and self.allocator.holders[table[length // size]] > 1
        further = -(-end // size) - len(table)
        room = min(end, len(table) * size) - length
        tried = room > 0 and not shared
        if tried:  # before it is known whether there are blocks for the rest
            last = table[length // size]
            self.k[last, :, inside : inside + room] = k[:, :room]
            self.v[last, :, inside : inside + room] = v[:, :room]
        try:
            blocks = self.allocator.allocate(further + shared)
        except OutOfBlocks:
            if tried:
                self.k[last, :, inside : inside + room] = torch.nan
                self.v[last, :, inside : inside + room] = torch.nan
            raise
        table = list(table)
        if shared:
            old, copy = table[length // size], blocks.pop(0)
            self.k[copy, :, :inside] = self.k[old, :, :inside]
            self.v[copy, :, :inside] = self.v[old, :, :inside]
            self.allocator.free([old])
            table[length // size] = copy
        table += blocks
        for at in range(length // size, -(-end // size)):
            begin, stop = max(length, at * size), min(end, (at + 1) * size)
            here = slice(begin - at * size, stop - at * size)
            self.k[table[at], :, here] = k[:, begin - length : stop - length]
            self.v[table[at], :, here] = v[:, begin - length : stop - length]
        self.tables[sequence], self.lengths[sequence] = table, end

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
        table, n = torch.tensor(self.tables[sequence], dtype=torch.int64), self.lengths[sequence]
        k, v = (x[table].transpose(0, 1).flatten(1, 2)[:, :n] for x in (self.k, self.v))
        return k.clone(), v.clone()

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
