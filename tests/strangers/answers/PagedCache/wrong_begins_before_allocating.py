# setdefault enters a new sequence with an empty table before the blocks are taken, so after OutOfBlocks the sequence exists (table and fork no longer raise WrongSequence for it).
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
        table = self.tables.setdefault(sequence, [])
        length = self.lengths.setdefault(sequence, 0)
        n, B = k.shape[1], self.block_size
        cow = length % B > 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(math.ceil((length + n) / B) - len(table) + cow)
        if cow:
            old, table[-1] = table[-1], blocks.pop(0)
            self.k[table[-1]] = self.k[old]
            self.v[table[-1]] = self.v[old]
            self.allocator.free([old])
        table.extend(blocks)
        for i in range(n):
            block, slot = table[(length + i) // B], (length + i) % B
            self.k[block, :, slot] = k[:, i]
            self.v[block, :, slot] = v[:, i]
        self.lengths[sequence] = length + n

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = self.tables[parent].copy()
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
        table, n = self.tables[sequence], self.lengths[sequence]
        k = torch.cat([self.k[b] for b in table], dim=1)[:, :n]
        v = torch.cat([self.v[b] for b in table], dim=1)[:, :n]
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
