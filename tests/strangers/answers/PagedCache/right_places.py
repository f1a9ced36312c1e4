# a generator of (block, slot, token, count) places; everything that touches the pools goes through it
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _places(self, table: list[int], begin: int, end: int):
        """Where tokens begin to end - 1 lie: block, slice of its slots, slice counted from begin."""
        at = begin
        while at < end:
            index, slot = divmod(at, self.block_size)
            count = min(self.block_size - slot, end - at)
            yield table[index], slice(slot, slot + count), slice(at - begin, at - begin + count)
            at += count

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]

        filled = length % self.block_size  # slots taken in the last block, if it is not full
        copies = bool(filled) and self.allocator.holders[table[-1]] > 1
        needed = -(-end // self.block_size)
        fresh = self.allocator.allocate(needed - len(table) + copies)
        if copies:
            old, new = table[-1], fresh.pop(0)
            for pool in (self.k, self.v):
                pool[new, :, :filled] = pool[old, :, :filled]
            self.allocator.free([old])
            table[-1] = new
        table.extend(fresh)
        for block, slots, tokens in self._places(table, length, end):
            self.k[block, :, slots] = k[:, tokens]
            self.v[block, :, slots] = v[:, tokens]
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, length = self.tables[sequence], self.lengths[sequence]
        n_heads, d = self.k.shape[1], self.k.shape[3]
        k, v = self.k.new_empty(n_heads, length, d), self.v.new_empty(n_heads, length, d)
        for block, slots, tokens in self._places(table, 0, length):
            k[:, tokens] = self.k[block, :, slots]
            v[:, tokens] = self.v[block, :, slots]
        return k, v

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()
