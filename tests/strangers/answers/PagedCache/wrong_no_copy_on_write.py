# Writes into a shared last block as it is: after a fork both sequences overwrite each other's tokens when the last block has room.
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
        start, n = self.lengths.get(sequence, 0), k.shape[1]
        have = len(self.tables.get(sequence, []))
        new = self.allocator.allocate(math.ceil((start + n) / self.block_size) - have)
        self.tables.setdefault(sequence, []).extend(new)
        for i in range(n):
            b, s = divmod(start + i, self.block_size)
            self.k[self.tables[sequence][b], :, s] = k[:, i]
            self.v[self.tables[sequence][b], :, s] = v[:, i]
        self.lengths[sequence] = start + n

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]
        self.allocator.share(self.tables[child])

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        n, blocks = self.lengths[sequence], self.tables[sequence]
        k = self.k[blocks].permute(1, 0, 2, 3).reshape(self.k.shape[1], -1, self.k.shape[3])
        v = self.v[blocks].permute(1, 0, 2, 3).reshape(self.v.shape[1], -1, self.v.shape[3])
        return k[:, :n], v[:, :n]

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
