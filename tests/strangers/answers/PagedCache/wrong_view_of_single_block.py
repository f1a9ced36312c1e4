# gather has a fast path for sequences of one block that returns views of the pool, so what was gathered changes when that slot is written later (after free and reuse) and writing to it damages the cache.
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
        table, start = self.tables.get(sequence, []), self.lengths.get(sequence, 0)
        used = start % self.block_size
        stop = start + k.shape[1]
        shared = used > 0 and self.allocator.holders[table[-1]] >= 2
        keep = table[:-1] if shared else table[:]
        fresh = self.allocator.allocate(math.ceil(stop / self.block_size) - len(keep))
        if shared:
            self.k[fresh[0], :, :used] = self.k[table[-1], :, :used]
            self.v[fresh[0], :, :used] = self.v[table[-1], :, :used]
            self.allocator.free([table[-1]])
        keep.extend(fresh)
        for i in range(start, stop):
            where = keep[i // self.block_size], slice(None), i % self.block_size
            self.k[where], self.v[where] = k[:, i - start], v[:, i - start]
        self.tables[sequence], self.lengths[sequence] = keep, stop

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
        self.tables.pop(sequence)
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = self.tables[sequence], self.lengths[sequence]
        if len(table) == 1:
            return self.k[table[0], :, :n], self.v[table[0], :, :n]
        blocks = torch.tensor(table, dtype=torch.long)
        k = self.k.index_select(0, blocks).permute(1, 0, 2, 3).flatten(1, 2)
        v = self.v.index_select(0, blocks).permute(1, 0, 2, 3).flatten(1, 2)
        return k[:, :n], v[:, :n]

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
