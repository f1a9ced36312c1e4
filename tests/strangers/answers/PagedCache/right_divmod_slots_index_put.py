# Right: advanced indexing with (block, slot) tensors, a generator of slots by divmod, setdefault-free, comments of a reviewer
import torch
from torch import Tensor


class PagedCache:
    """Keys and values of many sequences, in blocks of one pool."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        shared = bool(length % size) and self.allocator.holders[table[-1]] > 1
        fresh = self.allocator.allocate(-(-end // size) - len(table) + shared)
        table = list(table)
        if shared:  # copy on write
            old, new = table[-1], fresh.pop(0)
            used = length % size
            for pool in (self.k, self.v):
                pool[new, :, :used] = pool[old, :, :used]
            self.allocator.free([old])
            table[-1] = new
        table += fresh
        at = torch.arange(length, end)
        block = torch.tensor(table)[at // size]
        for pool, tokens in ((self.k, k), (self.v, v)):
            pool[block, :, at % size] = tokens.transpose(0, 1)
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
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        at = torch.arange(self.lengths[sequence])
        block = torch.tensor(self.tables[sequence], dtype=torch.long)[at // self.block_size]
        k, v = (pool[block, :, at % self.block_size].transpose(0, 1) for pool in (self.k, self.v))
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
