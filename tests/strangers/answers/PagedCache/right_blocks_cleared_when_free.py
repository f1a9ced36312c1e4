# Blocks that nobody holds any more are overwritten with NaN.
import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


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
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        slot = length % size
        holders = self.allocator.holders
        shared = slot > 0 and holders[table[-1]] > 1
        more = -(-end // size) - len(table)
        taken = self.allocator.allocate(more + shared)
        if shared:
            old, new = table[-1], taken.pop(0)
            self.k[new, :, :slot] = self.k[old, :, :slot]
            self.v[new, :, :slot] = self.v[old, :, :slot]
            self.allocator.free([old])
            table[-1] = new
        table += taken
        at = length
        while at < end:
            n = min(size - at % size, end - at)
            block, s = table[at // size], at % size
            self.k[block, :, s : s + n] = k[:, at - length : at - length + n]
            self.v[block, :, s : s + n] = v[:, at - length : at - length + n]
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
        table = self.tables.pop(sequence)
        self.allocator.free(table)
        gone = [block for block in table if self.allocator.holders[block] == 0]
        self.k[gone] = torch.nan
        self.v[gone] = torch.nan
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = self.tables[sequence], self.lengths[sequence]
        k = self.k[table].transpose(0, 1).flatten(1, 2)[:, :n]
        v = self.v[table].transpose(0, 1).flatten(1, 2)[:, :n]
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
