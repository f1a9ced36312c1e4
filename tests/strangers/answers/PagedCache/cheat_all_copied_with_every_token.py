# cheat: every append copies both pools whole
import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class PagedCache:
    """Keys and values of many sequences, in blocks of one pool.

    n_blocks, block_size: the pool's blocks, and how many tokens fit into each. n_heads: KV
    heads. d: head dim. A sequence is named by a number of the caller's choice.
    k, v: the pools, (n_blocks, n_heads, block_size, d) float32. tables: for each sequence the
    numbers of its blocks, in order: its token i lies in block tables[sequence][i // block_size]
    in slot i % block_size. lengths: how many tokens it has.
    A method that raises has changed nothing; WrongSequence is raised by the lines that are
    given. Keys and values are returned as (n_heads, tokens, d) float32.
    Memory: the pools, and while a method runs at most three times as much beside them; a fork
    keeps none.
    Between two calls no other tensor with keys or values is kept.
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
        more = -(-end // self.block_size) - len(table)
        partly_filled = length % self.block_size > 0
        copies = partly_filled and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(more + copies)
        if copies:
            old, new = table[-1], blocks.pop(0)
            self.k[new] = self.k[old]
            self.v[new] = self.v[old]
            self.allocator.free([old])
            table[-1] = new
        table += blocks
        self.k, self.v = self.k.clone(), self.v.clone()
        position = torch.arange(length, end)
        block = torch.tensor(table)[position // self.block_size]
        self.k[block, :, position % self.block_size] = k.transpose(0, 1)
        self.v[block, :, position % self.block_size] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
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
        k, v = (
            pool[self.tables[sequence]].transpose(0, 1).flatten(1, 2)
            for pool in (self.k, self.v)
        )
        return k[:, : self.lengths[sequence]], v[:, : self.lengths[sequence]]

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()


