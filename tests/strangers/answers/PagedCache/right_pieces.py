# right: a generator cuts a stretch of tokens into pieces of one block each; reading and writing are the same loop
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _pieces(self, table: list[int], begin: int, end: int):
        """Views of the pools that hold the tokens begin to end - 1, and how many tokens each."""
        while begin < end:
            place, slot = divmod(begin, self.block_size)
            n = min(end - begin, self.block_size - slot)
            yield n, *(pool[table[place]].narrow(1, slot, n) for pool in (self.k, self.v))
            begin += n

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        kept = table
        if length % self.block_size and self.allocator.counts()[table[-1]] > 1:
            kept = table[:-1]
        total = (end + self.block_size - 1) // self.block_size
        taken = self.allocator.allocate(total - len(kept))
        left = table[len(kept) :]  # the shared block that is given up, if any
        table = kept + taken
        if left:
            for pool in (self.k, self.v):
                pool[taken[0]].copy_(pool[left[0]])
            self.allocator.free(left)
        done = 0
        for n, keys, values in self._pieces(table, length, end):
            keys.copy_(k[:, done : done + n])
            values.copy_(v[:, done : done + n])
            done += n
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        table = [*self.tables[parent]]
        self.allocator.share(table)
        self.tables[child], self.lengths[child] = table, self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        del self.lengths[sequence]
        self.allocator.free(self.tables.pop(sequence))

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        length, (_, heads, _, d) = self.lengths[sequence], self.k.shape
        k, v = self.k.new_empty(heads, length, d), self.v.new_empty(heads, length, d)
        done = 0
        for n, keys, values in self._pieces(self.tables[sequence], 0, length):
            k[:, done : done + n] = keys
            v[:, done : done + n] = values
            done += n
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
