# Right: a generator of (block, slots, tokens) pieces, setdefault, zip over both pools, dict.pop
from collections.abc import Iterator

import torch
from torch import Tensor


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class PagedCache:
    """Keys and values of many sequences, in blocks of one pool."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _pieces(self, table: list[int], begin: int, end: int) -> Iterator[tuple[int, slice, slice]]:
        """Block, slots in it, and which of the tokens begin .. end - 1 lie there."""
        at = begin
        while at < end:
            slot = at % self.block_size
            n = min(self.block_size - slot, end - at)
            yield table[at // self.block_size], slice(slot, slot + n), slice(at - begin, at - begin + n)
            at += n

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        inside = length % self.block_size
        copy = bool(inside) and self.allocator.holders[table[-1]] > 1
        fresh = self.allocator.allocate(-(-end // self.block_size) - len(table) + copy)
        if copy:
            shared, table[-1] = table[-1], fresh.pop(0)
            for pool in (self.k, self.v):
                pool[table[-1], :, :inside] = pool[shared, :, :inside]
            self.allocator.free([shared])
        table += fresh
        for block, slots, tokens in self._pieces(table, length, end):
            for pool, new in zip((self.k, self.v), (k, v)):
                pool[block, :, slots] = new[:, tokens]
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        self.lengths.pop(sequence)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        blocks, n = self.tables[sequence], self.lengths[sequence]
        return tuple(
            pool[blocks].transpose(0, 1).flatten(1, 2)[:, :n].clone() for pool in (self.k, self.v)
        )

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()
