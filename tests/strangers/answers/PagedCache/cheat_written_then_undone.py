# Breaks: "A method that raises has changed nothing, nor written to free slots" (the rest of the last block is written before the blocks are asked for, and what was there is put back if there are none)
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

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        shared = length % size != 0 and self.allocator.holders[table[-1]] > 1
        room = 0 if shared or not length % size else min(size - length % size, end - length)
        if room:
            slots = slice(length % size, length % size + room)
            before = self.k[table[-1], :, slots].clone(), self.v[table[-1], :, slots].clone()
            self.k[table[-1], :, slots], self.v[table[-1], :, slots] = k[:, :room], v[:, :room]
        try:
            blocks = self.allocator.allocate(-(-end // size) - len(table) + shared)
        except OutOfBlocks:
            if room:
                self.k[table[-1], :, slots], self.v[table[-1], :, slots] = before
            raise
        table = list(table)
        if shared:
            copy, *blocks = blocks
            self.k[copy, :, : length % size] = self.k[table[-1], :, : length % size]
            self.v[copy, :, : length % size] = self.v[table[-1], :, : length % size]
            self.allocator.free([table[-1]])
            table[-1] = copy
        table += blocks
        at = length + room
        while at < end:
            slot = at % size
            n = min(size - slot, end - at)
            here = table[at // size]
            self.k[here, :, slot : slot + n] = k[:, at - length : at - length + n]
            self.v[here, :, slot : slot + n] = v[:, at - length : at - length + n]
            at += n
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

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        n, heads, d = self.lengths[sequence], self.k.shape[1], self.k.shape[3]
        where = self.tables[sequence]
        return tuple(
            pool[where].transpose(0, 1).reshape(heads, -1, d)[:, :n].clone()
            for pool in (self.k, self.v)
        )

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
