# Right: a method that turns positions into (block, slot) index tensors; append and gather are one indexing each.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _places(self, table: list[int], begin: int, end: int) -> tuple:
        """An index of the pools: the slots of the tokens begin to end - 1, all heads."""
        i = torch.arange(begin, end)
        blocks = torch.tensor(table, dtype=torch.int64)
        return blocks[i // self.block_size], slice(None), i % self.block_size

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        # the blocks that stay: all that are full, and the last one if it is nobody else's
        kept = table
        if length % self.block_size and self.allocator.counts()[table[-1]] > 1:
            kept = table[:-1]
        new = self.allocator.allocate((end - 1) // self.block_size + 1 - len(kept))
        given_up = table[len(kept) :]
        for old in given_up:  # one or none
            for pool in (self.k, self.v):
                pool[new[0]] = pool[old]
        self.allocator.free(given_up)
        table = [*kept, *new]
        places = self._places(table, length, end)
        self.k[places] = k.transpose(0, 1)
        self.v[places] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        blocks = list(self.tables[parent])
        self.allocator.share(blocks)
        self.tables[child], self.lengths[child] = blocks, self.lengths[parent]

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence]
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        places = self._places(self.tables[sequence], 0, self.lengths[sequence])
        return self.k[places].transpose(0, 1), self.v[places].transpose(0, 1)

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()
