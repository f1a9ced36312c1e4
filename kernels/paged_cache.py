"""A paged cache of keys and values: block tables, copy-on-write, shared prefixes.

The layout is that of Kwon et al., *PagedAttention* (2023), with the heads of a block before its
tokens. Left out: moving blocks to a larger, slower memory when the pool is full, and keeping
what freed blocks hold until their space is needed.
"""

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
    """Numbered blocks, and how many holders each of them has.

    n_blocks >= 1: how many blocks there are, all of them free; their numbers, which alone are
    named, are 0 to n_blocks - 1.
    holders: for each block, how many hold it. A call that raises has changed nothing. What is
    kept does not grow with the number of calls.
    Returns blocks as new lists of numbers, and counts as a new tensor (n_blocks,) int64.
    """

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        """Take the n >= 0 free blocks with the lowest numbers, each held once from now on.

        Returns their numbers in ascending order. Raises OutOfBlocks if fewer than n are free.
        """
        ### BEGIN SOLUTION
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} blocks are wanted, {len(self.free_list)} are free")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks
        ### END SOLUTION

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice.

        Raises NotHeld if one is free.
        """
        ### BEGIN SOLUTION
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(f"of {blocks} one is free")
        for block in blocks:
            self.holders[block] += 1
        ### END SOLUTION

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice.

        A block that nobody holds any more is free. Raises NotHeld if a block has fewer holders
        than `blocks` names it.
        """
        ### BEGIN SOLUTION
        if any(self.holders[block] < times for block, times in Counter(blocks).items()):
            raise NotHeld(f"of {blocks} one has fewer holders than are to give it back")
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)
        ### END SOLUTION

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)


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
        ### BEGIN SOLUTION
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
        position = torch.arange(length, end)
        block = torch.tensor(table)[position // self.block_size]
        self.k[block, :, position % self.block_size] = k.transpose(0, 1)
        self.v[block, :, position % self.block_size] = v.transpose(0, 1)
        ### END SOLUTION
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        ### BEGIN SOLUTION
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]
        ### END SOLUTION

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        ### BEGIN SOLUTION
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]
        ### END SOLUTION

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        ### BEGIN SOLUTION
        k, v = (
            pool[self.tables[sequence]].transpose(0, 1).flatten(1, 2)
            for pool in (self.k, self.v)
        )
        return k[:, : self.lengths[sequence]], v[:, : self.lengths[sequence]]
        ### END SOLUTION

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()


class PrefixCache(PagedCache):
    """A paged cache in which prompts with a common prefix share its blocks.

    n_blocks, block_size, n_heads, d: as in `PagedCache`.
    A full block is known by its name: the tokens in it and all tokens before them. A block is
    known from the first `extend` of its sequence that finds it full and its name free, until
    nobody holds it any more. So of two blocks with the same name the one that was known first
    keeps it as long as it is held. `known` may have more in it, as long as no prompt finds it.
    Tokens come by `extend` alone. Keys and values are returned as (n_heads, tokens, d) float32.
    Memory: as in `PagedCache`.
    """

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        """The name of a full block, from its tokens and the name of the block before it.

        before: 0 if the block is the first. tokens: numbers from 0 on. Returns the same number
        for the same tokens, and as good as surely another one for others.
        """
        ### BEGIN SOLUTION
        return hash((before, *tokens))
        ### END SOLUTION

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known.

        tokens: the prompt, at least one token. The known blocks from the first one on are
        shared, up to one that is not known, but never the whole prompt: of one that is known
        whole the last block is left out, so that there is a query to compute.
        Returns how many tokens are in the cache already, a multiple of block_size.
        """
        if sequence in self.tables:
            raise WrongSequence(sequence)
        ### BEGIN SOLUTION
        table, name = [], 0
        for end in range(self.block_size, len(tokens), self.block_size):
            name = self.block_name(name, tokens[end - self.block_size : end])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        ### END SOLUTION
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        """Add tokens to a sequence that was started or forked, and make its full blocks known.

        tokens: n >= 1 numbers; k, v: (n_heads, n, d) float32, theirs. Every full block of the
        sequence whose name is not known yet becomes known.
        Raises OutOfBlocks if there are not enough blocks, and has changed nothing then.
        """
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        ### BEGIN SOLUTION
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            begin = i * self.block_size
            tokens = self.tokens[sequence][begin : begin + self.block_size]
            name = self.block_name(name, tokens)
            if name not in self.known:
                block = self.tables[sequence][i]
                self.known[name], self.names[block] = block, name
        ### END SOLUTION

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back; those that nobody holds are forgotten."""
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        ### BEGIN SOLUTION
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
        ### END SOLUTION
