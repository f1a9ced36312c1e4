# Wrong: copies the last block on append whenever it is shared, also if it is full and nothing will be written to it (fork at a multiple of block_size, then append): one block too many is taken and a full block is no longer shared; forks inside a block are right.
import math


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        n = k.shape[1]
        size = self.block_size
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        needed = math.ceil((length + n) / size) - len(table)
        copy = bool(table) and self.allocator.holders[table[-1]] > 1
        new = self.allocator.allocate(needed + copy)
        if copy:
            old = table[-1]
            self.k[new[0]] = self.k[old]
            self.v[new[0]] = self.v[old]
            self.allocator.free([old])
            table = table[:-1]
        table = table + new
        for i in range(n):
            block, slot = table[(length + i) // size], (length + i) % size
            self.k[block, :, slot] = k[:, i]
            self.v[block, :, slot] = v[:, i]
        self.tables[sequence] = table
        self.lengths[sequence] = length + n

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]
        self.allocator.share(self.tables[child])

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence], self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, length = self.tables[sequence], self.lengths[sequence]
        k = torch.cat([self.k[b] for b in table], dim=1)[:, :length]
        v = torch.cat([self.v[b] for b in table], dim=1)[:, :length]
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
