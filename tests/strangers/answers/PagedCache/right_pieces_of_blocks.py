# Writes and reads in pieces of a block by zip over the table; what is new is planned in a helper before anything is taken.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _existing(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return self.tables[sequence]

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        old = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        whole, used = divmod(length, self.block_size)
        last_is_shared = bool(used) and int(self.allocator.counts()[old[whole]]) > 1
        kept = old[:whole] if last_is_shared else old
        wanted = (end + self.block_size - 1) // self.block_size
        table = kept + self.allocator.allocate(wanted - len(kept))
        if last_is_shared:
            for pool in (self.k, self.v):
                pool[table[whole]].copy_(pool[old[whole]])
            self.allocator.free([old[whole]])
        done = 0
        while done < end - length:
            block, slot = divmod(length + done, self.block_size)
            n = min(self.block_size - slot, end - length - done)
            for pool, rows in ((self.k, k), (self.v, v)):
                pool[table[block], :, slot : slot + n] = rows[:, done : done + n]
            done += n
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        table = [*self.tables[parent]]
        self.allocator.share(table)
        self.tables[child], self.lengths[child] = table, self.lengths[parent]

    def free(self, sequence: int) -> None:
        self.allocator.free(self._existing(sequence))
        del self.tables[sequence], self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        table, n = self._existing(sequence), self.lengths[sequence]
        out = []
        for pool in (self.k, self.v):
            x = pool.new_empty(pool.shape[1], n, pool.shape[3])
            for begin, block in zip(range(0, n, self.block_size), table):
                piece = x[:, begin : begin + self.block_size]
                piece.copy_(pool[block, :, : piece.shape[1]])
            out.append(x)
        return out[0], out[1]

    def table(self, sequence: int) -> Tensor:
        return torch.tensor(self._existing(sequence), dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
