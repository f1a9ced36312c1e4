# Takes the copy and the further blocks with two calls of allocate; when the second one fails the sequence has already moved to its copy (table, counts and free blocks have changed although it raised).
import math


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _make_last_block_private(self, sequence):
        table = self.tables[sequence]
        original = table[-1]
        if self.lengths[sequence] % self.block_size and self.allocator.holders[original] > 1:
            [mine] = self.allocator.allocate(1)
            self.k[mine], self.v[mine] = self.k[original], self.v[original]
            self.allocator.free([original])
            table[-1] = mine

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        if self.tables.get(sequence):
            self._make_last_block_private(sequence)
        table, length = self.tables.get(sequence, []), self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        more = self.allocator.allocate(math.ceil(end / self.block_size) - len(table))
        self.tables[sequence] = table = table + more
        self.lengths[sequence] = end
        for i, t in enumerate(range(length, end)):
            self.k[table[t // self.block_size], :, t % self.block_size] = k[:, i]
            self.v[table[t // self.block_size], :, t % self.block_size] = v[:, i]

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = [*self.tables[parent]]
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        del self.lengths[sequence]
        self.allocator.free(self.tables.pop(sequence))

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        n_heads, d = self.k.shape[1], self.k.shape[3]
        blocks = self.tables[sequence]
        shape = n_heads, len(blocks) * self.block_size, d
        k = self.k[blocks].transpose(0, 1).reshape(shape)
        v = self.v[blocks].transpose(0, 1).reshape(shape)
        return k[:, : self.lengths[sequence]], v[:, : self.lengths[sequence]]

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
