# Wrong: copies the last block whenever it is shared, also when it is full and would never be written again; takes a block too many (other numbers in table() and counts(), early OutOfBlocks) for forks at a multiple of block_size.
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
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        n = k.shape[1]
        last_is_shared = bool(table) and self.allocator.holders[table[-1]] > 1
        total = math.ceil((length + n) / self.block_size)
        new = self.allocator.allocate(total - len(table) + last_is_shared)
        if last_is_shared:
            shared, own = table.pop(), new.pop(0)
            self.k[own], self.v[own] = self.k[shared], self.v[shared]
            self.allocator.free([shared])
            table.append(own)
        table.extend(new)
        for i in range(n):
            block, slot = divmod(length + i, self.block_size)
            self.k[table[block], :, slot] = k[:, i]
            self.v[table[block], :, slot] = v[:, i]
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
        blocks = self.tables.pop(sequence)
        del self.lengths[sequence]
        self.allocator.free(blocks)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        n = self.lengths[sequence]
        k = torch.cat([self.k[b] for b in self.tables[sequence]], dim=1)[:, :n]
        v = torch.cat([self.v[b] for b in self.tables[sequence]], dim=1)[:, :n]
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
