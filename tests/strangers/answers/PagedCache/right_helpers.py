# the pools as one list, a generator that cuts a stretch of tokens at the borders of blocks, used for writing and for reading
class PagedCache:
    """Keys and values of many sequences, in blocks of one pool."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _known(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)

    def _pieces(self, table, begin, end):
        """(block, slots, tokens counted from begin) for the tokens begin to end - 1."""
        for i in range(begin // self.block_size, -(-end // self.block_size)):
            origin = i * self.block_size
            low, high = max(begin, origin), min(end, origin + self.block_size)
            yield table[i], slice(low - origin, high - origin), slice(low - begin, high - begin)

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        """Add tokens at the end of a sequence, which begins here if it is new."""
        table = list(self.tables.get(sequence, ()))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        room = len(table) * self.block_size - length
        alone = room == 0 or int(self.allocator.counts()[table[-1]]) == 1
        more = -(-(k.shape[1] - room) // self.block_size) if k.shape[1] > room else 0
        blocks = self.allocator.allocate(more if alone else 1 + more)
        if not alone:
            copy, *blocks = blocks
            original = table.pop()
            for pool in (self.k, self.v):
                pool[copy].copy_(pool[original])
            self.allocator.free([original])
            table.append(copy)
        table.extend(blocks)
        for block, slots, tokens in self._pieces(table, length, end):
            self.k[block][:, slots] = k[:, tokens]
            self.v[block][:, slots] = v[:, tokens]
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        table = [*self.tables[parent]]
        self.allocator.share(table)
        self.tables[child] = table
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        self._known(sequence)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence], self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        self._known(sequence)
        n = self.lengths[sequence]
        k = self.k.new_empty(self.k.shape[1], n, self.k.shape[3])
        v = torch.empty_like(k)
        for block, slots, tokens in self._pieces(self.tables[sequence], 0, n):
            k[:, tokens] = self.k[block][:, slots]
            v[:, tokens] = self.v[block][:, slots]
        return k, v

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        self._known(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()
