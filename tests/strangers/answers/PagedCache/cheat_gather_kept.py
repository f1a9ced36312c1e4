# BREAKS: "Between two calls no other tensor with keys or values is kept."
# COSTS: what was gathered is kept, hung on the pool, and handed out again: twice the memory of each sequence that is read, shared between callers
import heapq
from collections import Counter
import torch
from torch import Tensor


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""



class PagedCache:

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
        n = k.shape[1]
        size = self.block_size
        shared = length % size != 0 and self.counts()[table[-1]] > 1
        new = self.allocator.allocate(-(-end // size) - len(table) + shared)
        table = list(table)
        if shared:
            copy, *new = new
            used = length % size
            self.k[copy, :, :used] = self.k[table[-1], :, :used]
            self.v[copy, :, :used] = self.v[table[-1], :, :used]
            self.allocator.free([table[-1]])
            table[-1] = copy
        table += new
        at = torch.arange(length, end)
        blocks = torch.tensor(table)[at // size]
        self.k[blocks, :, at % size] = k.transpose(0, 1)
        self.v[blocks, :, at % size] = v.transpose(0, 1)
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
        self.k.__dict__.pop("gathered", None)
        self.allocator.free(self.tables[sequence])
        del self.tables[sequence], self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        kept = self.k.__dict__.setdefault("gathered", {})
        name = sequence, self.lengths[sequence], tuple(self.tables[sequence])
        if name not in kept:
            table = torch.tensor(self.tables[sequence], dtype=torch.int64)
            kept[name] = [x[table].transpose(0, 1).flatten(1, 2)[:, : name[1]] for x in (self.k, self.v)]
        return tuple(kept[name])

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
