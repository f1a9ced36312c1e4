# Copies one value row too few into the new block.
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
        table, length, size = list(self.tables.get(sequence, [])), self.lengths.get(sequence, 0), self.block_size
        end = length + k.shape[1]
        within = length % size
        shared = bool(within) and int(self.allocator.counts()[table[length // size]]) > 1
        new = self.allocator.allocate(-(-end // size) - len(table) + shared)
        if shared:
            old, table[-1] = table[-1], new.pop(0)
            self.k[table[-1], :, :within] = self.k[old, :, :within]
            self.v[table[-1], :, : within - 1] = self.v[old, :, : within - 1]
            self.allocator.free([old])
        table += new
        at = torch.arange(length, end)
        block, slot = torch.tensor(table)[at // size], at % size
        self.k[block, :, slot], self.v[block, :, slot] = k.transpose(0, 1), v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child], self.lengths[child] = [*self.tables[parent]], self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        at = torch.arange(self.lengths[sequence])
        block = torch.tensor(self.tables[sequence], dtype=torch.int64)[at // self.block_size]
        slot = at % self.block_size
        return self.k[block, :, slot].transpose(0, 1), self.v[block, :, slot].transpose(0, 1)

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
