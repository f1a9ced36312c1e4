# Right: NumPy-like, tokens are written and read by one advanced index of blocks and slots.
import torch
from torch import Tensor


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _places(self, table, begin, end):
        """Block and slot of the tokens begin to end - 1, two tensors."""
        tokens = torch.arange(begin, end)
        blocks = torch.tensor(table, dtype=torch.int64)
        return blocks[tokens // self.block_size], tokens % self.block_size

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        filled = length % self.block_size
        copying = filled > 0 and int(self.allocator.counts()[table[-1]]) > 1
        further = -(-end // self.block_size) - len(table)
        new = self.allocator.allocate(further + copying)
        if copying:
            old, table[-1] = table[-1], new.pop(0)
            for pool in (self.k, self.v):
                pool[table[-1], :, :filled] = pool[old, :, :filled]
            self.allocator.free([old])
        table.extend(new)
        blocks, slots = self._places(table, length, end)
        self.k[blocks, :, slots] = k.transpose(0, 1)
        self.v[blocks, :, slots] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        blocks, slots = self._places(self.tables[sequence], 0, self.lengths[sequence])
        return self.k[blocks, :, slots].transpose(0, 1), self.v[blocks, :, slots].transpose(0, 1)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
