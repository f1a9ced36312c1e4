# memory: remembers what gather returned for a sequence until it grows, a dense copy beside the pool
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}
        self.gathered: dict[int, tuple[int, Tensor, Tensor]] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        size = self.block_size
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        inside = length % size
        copy = inside != 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate((end - 1) // size + 1 - len(table) + (1 if copy else 0))
        if copy:
            self.k[blocks[0]] = self.k[table[-1]]
            self.v[blocks[0]] = self.v[table[-1]]
            self.allocator.free(table[-1:])
            table = table[:-1]
        table = [*table, *blocks]
        done = 0
        while done < end - length:
            block, slot = table[(length + done) // size], (length + done) % size
            n = min(size - slot, end - length - done)
            self.k[block, :, slot : slot + n] = k[:, done : done + n]
            self.v[block, :, slot : slot + n] = v[:, done : done + n]
            done += n
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child], self.lengths[child] = list(self.tables[parent]), self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence], self.lengths[sequence]
        self.gathered.pop(sequence, None)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        length = self.lengths[sequence]
        if self.gathered.get(sequence, (-1,))[0] == length:
            return self.gathered[sequence][1].clone(), self.gathered[sequence][2].clone()
        k = self.k.new_empty(self.k.shape[1], length, self.k.shape[3])
        v = torch.empty_like(k)
        for i, block in enumerate(self.tables[sequence]):
            first = i * self.block_size
            n = min(self.block_size, length - first)
            k[:, first : first + n] = self.k[block, :, :n]
            v[:, first : first + n] = self.v[block, :, :n]
        self.gathered[sequence] = length, k.clone(), v.clone()
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
