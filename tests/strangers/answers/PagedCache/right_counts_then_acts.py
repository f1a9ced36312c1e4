# Plans the whole append (copy or not, how many blocks), takes the blocks in one call, then writes block by block.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        B = self.block_size
        old, length, n = self.tables.get(sequence, []), self.lengths.get(sequence, 0), k.shape[1]
        shared = length % B != 0 and self.allocator.holders[old[-1]] > 1
        needed = -(-(length + n) // B) - len(old) + shared
        new = self.allocator.allocate(needed)
        table = list(old)
        if shared:
            copy, *new = new
            self.k[copy], self.v[copy] = self.k[old[-1]], self.v[old[-1]]
            self.allocator.free([old[-1]])
            table[-1] = copy
        table += new
        done = 0
        while done < n:
            block, slot = table[(length + done) // B], (length + done) % B
            step = min(B - slot, n - done)
            self.k[block, :, slot : slot + step] = k[:, done : done + step]
            self.v[block, :, slot : slot + step] = v[:, done : done + step]
            done += step
        self.tables[sequence], self.lengths[sequence] = table, length + n

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
        table, length = self.tables[sequence], self.lengths[sequence]
        k, v = (x[table].transpose(0, 1).flatten(1, 2)[:, :length].clone() for x in (self.k, self.v))
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
