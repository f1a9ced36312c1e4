# Wrong: a fork gets its parent's list itself, and append grows the list in place: tokens of one appear in the table of the other.
# Breaks: "tables: for each sequence the numbers of its blocks, in order".
import torch
from torch import Tensor


class PagedCache:
    """Keys and values of many sequences, in blocks of one pool.

    n_blocks, block_size: the pool's blocks, and how many tokens fit into each. n_heads: KV
    heads. d: head dim. A sequence is named by a number of the caller's choice.
    k, v: the pools, (n_blocks, n_heads, block_size, d) float32. tables: for each sequence the
    numbers of its blocks, in order: its token i lies in block tables[sequence][i // block_size]
    in slot i % block_size. lengths: how many tokens it has.
    A method that raises has changed nothing, nor written to free slots; WrongSequence is raised
    by the lines that are given. Keys and values are returned as (n_heads, tokens, d) float32.
    Memory: the pools, and while a method runs at most three times as much beside them; a fork
    keeps none. What comes is written where it belongs; no pool is copied or written again (a
    block may be cleared when it is taken or given back), and nothing is multiplied. Between two
    calls no other tensor with keys or values is kept.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    BlockAllocator and BlockAllocator.allocate. Arguments stay as they are.
    """

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        """Add tokens at the end of a sequence, which begins here if it is new.

        k, v: (n_heads, n, d) float32, n >= 1. A sequence in `tables` may have no tokens and no
        blocks yet, as PrefixCache begins them. If the first new token belongs in a block that
        other sequences hold too, the sequence continues in a copy of that block and gives up
        its share of the original. Then come the further blocks. All are taken with one call of
        `allocate`, the copy first.
        Raises OutOfBlocks if there are not enough; a new sequence has then not begun.
        """
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        shared = length % size > 0 and self.allocator.holders[table[-1]] > 1
        fresh = self.allocator.allocate(-(-end // size) - len(table) + shared)
        if shared:
            old, new = table[-1], fresh.pop(0)
            self.k[new, :, : length % size] = self.k[old, :, : length % size]
            self.v[new, :, : length % size] = self.v[old, :, : length % size]
            self.allocator.free([old])
            table = [*table[:-1], new]
        table += fresh
        for i in range(length, end):
            self.k[table[i // size], :, i % size] = k[:, i - length]
            self.v[table[i // size], :, i % size] = v[:, i - length]
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = self.tables[parent]
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = self.tables[sequence], self.lengths[sequence]
        k = self.k[table].transpose(0, 1).flatten(1, 2)[:, :n]
        v = self.v[table].transpose(0, 1).flatten(1, 2)[:, :n]
        return k.clone(), v.clone()

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()
