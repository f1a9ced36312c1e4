# Breaks: "Between two calls no other tensor with keys or values is kept." (what was gathered last is kept, inside of an iterator, and copied out again where nothing has changed)
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}
        self.last = iter(())

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        shared = length % size != 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(-(-end // size) - len(table) + shared)
        table = list(table)
        if shared:
            copy, *blocks = blocks
            self.k[copy, :, : length % size] = self.k[table[-1], :, : length % size]
            self.v[copy, :, : length % size] = self.v[table[-1], :, : length % size]
            self.allocator.free([table[-1]])
            table[-1] = copy
        table += blocks
        at = length
        while at < end:
            slot = at % size
            n = min(size - slot, end - at)
            here = table[at // size]
            self.k[here, :, slot : slot + n] = k[:, at - length : at - length + n]
            self.v[here, :, slot : slot + n] = v[:, at - length : at - length + n]
            at += n
        self.last = iter(())
        self.tables[sequence], self.lengths[sequence] = table, end

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
        self.last = iter(())

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        for name, table, length, k, v in self.last:
            if (name, table, length) == (sequence, self.tables[sequence], self.lengths[sequence]):
                self.last = iter([(name, table, length, k, v)])
                return k.clone(), v.clone()
        n, heads, d = self.lengths[sequence], self.k.shape[1], self.k.shape[3]
        where = self.tables[sequence]
        k, v = (
            pool[where].transpose(0, 1).reshape(heads, -1, d)[:, :n].clone()
            for pool in (self.k, self.v)
        )
        self.last = iter([(sequence, list(where), n, k, v)])
        return k.clone(), v.clone()

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
