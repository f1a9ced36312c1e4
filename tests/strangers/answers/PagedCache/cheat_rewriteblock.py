# An append reads the tokens that its block holds already and writes them all again with the new one (a block's worth of work for a token).
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    pass


class NotHeld(RuntimeError):
    pass


class WrongSequence(KeyError):
    pass


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[block] < n for block, n in Counter(blocks).items()):
            raise NotHeld
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
        size = self.block_size
        shared = length % size > 0 and self.allocator.holders[table[-1]] > 1
        new = self.allocator.allocate(shared + -(-end // size) - len(table))
        table = list(table)
        if shared:
            old, table[-1] = table[-1], new.pop(0)
            for pool in (self.k, self.v):
                pool[table[-1], :, : length % size] = pool[old, :, : length % size]
            self.allocator.free([old])
        table += new
        at = length
        while at < end:
            stop = min(end, (at // size + 1) * size)
            for pool, x in ((self.k, k), (self.v, v)):
                block, slot = table[at // size], at % size
                whole = torch.cat([pool[block, :, :slot], x[:, at - length : stop - length]], dim=1)
                pool[block, :, : whole.shape[1]] = whole
            at = stop
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
        table, n = torch.tensor(self.tables[sequence], dtype=torch.int64), self.lengths[sequence]
        k, v = (x[table].transpose(0, 1).flatten(1, 2)[:, :n].clone() for x in (self.k, self.v))
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
