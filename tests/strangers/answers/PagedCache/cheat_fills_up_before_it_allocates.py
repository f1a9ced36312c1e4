# 'A method that raises has changed nothing': what still fits into the last block is written before blocks are asked for
import heapq
from collections import Counter
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

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        more = -(-end // self.block_size) - len(table)
        partly_filled = length % self.block_size > 0
        copies = partly_filled and self.allocator.holders[table[-1]] > 1
        if partly_filled and not copies:
            at = length % self.block_size
            few = min(self.block_size - at, k.shape[1])
            self.k[table[-1], :, at:at + few] = k[:, :few]
            self.v[table[-1], :, at:at + few] = v[:, :few]
        blocks = self.allocator.allocate(more + copies)
        if copies:
            old, new = (table[-1], blocks.pop(0))
            self.k[new] = self.k[old]
            self.v[new] = self.v[old]
            self.allocator.free([old])
            table[-1] = new
        table += blocks
        position = torch.arange(length, end)
        block = torch.tensor(table)[position // self.block_size]
        self.k[block, :, position % self.block_size] = k.transpose(0, 1)
        self.v[block, :, position % self.block_size] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = (table, end)

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
        k, v = (pool[self.tables[sequence]].transpose(0, 1).flatten(1, 2) for pool in (self.k, self.v))
        return (k[:, :self.lengths[sequence]], v[:, :self.lengths[sequence]])

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
