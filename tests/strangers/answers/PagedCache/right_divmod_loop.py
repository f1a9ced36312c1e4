# style: private helpers, divmod, while loop over pieces
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

    def _check(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)

    def _write(self, table: list[int], length: int, k: Tensor, v: Tensor) -> None:
        done, n = 0, k.shape[1]
        while done < n:
            index, slot = divmod(length + done, self.block_size)
            size = min(self.block_size - slot, n - done)
            block = table[index]
            self.k[block, :, slot : slot + size] = k[:, done : done + size]
            self.v[block, :, slot : slot + size] = v[:, done : done + size]
            done += size

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        index, slot = divmod(length, self.block_size)
        copy = slot > 0 and self.allocator.holders[table[index]] > 1
        fresh = -(-end // self.block_size) - len(table)
        new = self.allocator.allocate(fresh + copy)  # raises before anything has changed
        if copy:
            old, table[index] = table[index], new.pop(0)
            self.k[table[index], :, :slot] = self.k[old, :, :slot]
            self.v[table[index], :, :slot] = self.v[old, :, :slot]
            self.allocator.free([old])
        table += new
        self._write(table, length, k, v)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        self._check(sequence)
        self.allocator.free(self.tables.pop(sequence))
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        self._check(sequence)
        table, length = self.tables[sequence], self.lengths[sequence]
        k, v = (
            pool[table].transpose(0, 1).flatten(1, 2)[:, :length].clone()
            for pool in (self.k, self.v)
        )
        return k, v

    def table(self, sequence: int) -> Tensor:
        self._check(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
