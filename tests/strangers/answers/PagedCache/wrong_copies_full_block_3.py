# A shared last block is copied even where it is full and the new token belongs in the next one (fill = 0 empties the copy).
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


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        taken = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[block] < n for block, n in Counter(blocks).items()):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)


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
        size, fill = self.block_size, length % self.block_size
        shared = self.allocator.holders[table[-1]] > 1 if table else False
        new = self.allocator.allocate(-(-end // size) - len(table) + shared)
        if shared:
            *kept, old = table
            copy, *further = new
            for pool in (self.k, self.v):
                pool[copy, :, :fill] = pool[old, :, :fill]
            self.allocator.free([old])
            table = [*kept, copy, *further]
        else:
            table = [*table, *new]
        at = length
        while at < end:
            block, slot = table[at // size], at % size
            n = min(size - slot, end - at)
            self.k[block, :, slot : slot + n] = k[:, at - length : at - length + n]
            self.v[block, :, slot : slot + n] = v[:, at - length : at - length + n]
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
        blocks, n = torch.tensor(self.tables[sequence], dtype=torch.int64), self.lengths[sequence]
        k, v = (pool[blocks].transpose(0, 1).flatten(1, 2)[:, :n] for pool in (self.k, self.v))
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
