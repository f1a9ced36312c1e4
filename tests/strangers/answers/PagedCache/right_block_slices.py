# a small plan first (old block, number of blocks), then one slice per block written instead of tokens; gather by index_select into buffers of exactly the tokens
class PagedCache:
    """Keys and values of many sequences, in blocks of one pool.

    n_blocks, block_size: the pool's blocks, and how many tokens fit into each. n_heads: KV
    heads. d: head dim. A sequence is named by a number of the caller's choice.
    k, v: the pools, (n_blocks, n_heads, block_size, d) float32. tables: for each sequence the
    numbers of its blocks, in order: its token i lies in block tables[sequence][i // block_size]
    in slot i % block_size. lengths: how many tokens it has.
    A method that raises has changed nothing; WrongSequence is raised by the lines that are
    given. Keys and values are returned as (n_heads, tokens, d) float32.
    Memory: the pools, and while a method runs at most three times as much beside them; a fork
    takes none.
    Between two calls no other tensor with keys or values is kept.
    It stays within torch and Python. It calls BlockAllocator. Arguments stay as they are.
    """

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        """Add tokens at the end of a sequence, which begins here if it is new.

        k, v: (n_heads, n, d) float32, n >= 1. A sequence in `tables` may have no tokens and no
        blocks yet, as PrefixCache begins them. If the first of them belongs in a block that
        other sequences hold too, the sequence continues in a copy of that block and gives up
        its share of the original. Then come the further blocks. All are taken with one call of
        `allocate`, the copy first.
        Raises OutOfBlocks if there are not enough; a new sequence has then not begun.
        """
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        at = length % size
        counts = self.allocator.counts().tolist()
        old = table[-1] if at and counts[table[-1]] > 1 else None
        wanted = (end + size - 1) // size - len(table) + (old is not None)
        fresh = self.allocator.allocate(wanted)  # may raise; nothing has changed so far
        if old is not None:
            for pool in (self.k, self.v):
                pool[fresh[0], :, :at] = pool[old, :, :at]
            self.allocator.free([old])
            table = table[:-1]
        table = table + fresh
        done = 0
        while length + done < end:
            number, slot = divmod(length + done, size)
            n = min(size - slot, end - length - done)
            block = table[number]
            self.k[block, :, slot : slot + n] = k[:, done : done + n]
            self.v[block, :, slot : slot + n] = v[:, done : done + n]
            done += n
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        blocks = self.tables[parent][:]
        self.allocator.share(blocks)
        self.tables[child], self.lengths[child] = blocks, self.lengths[parent]

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        blocks = self.tables.pop(sequence)
        self.lengths.pop(sequence)
        self.allocator.free(blocks)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        n, size = self.lengths[sequence], self.block_size
        shape = self.k.shape[1], n, self.k.shape[3]
        k, v = torch.empty(shape), torch.empty(shape)
        for i, block in enumerate(self.tables[sequence]):
            begin, stop = i * size, min(i * size + size, n)
            k[:, begin:stop] = self.k[block, :, : stop - begin]
            v[:, begin:stop] = self.v[block, :, : stop - begin]
        return k, v

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()
