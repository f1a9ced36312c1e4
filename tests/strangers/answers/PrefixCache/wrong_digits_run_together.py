# the name is a hash of the digits joined without a separator: [1, 23] and [12, 3] are one (shows there)
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


class PrefixCache(PagedCache):
    """A paged cache in which prompts with a common prefix share its blocks.

    n_blocks, block_size, n_heads, d: as in `PagedCache`.
    A full block is known by its name: the tokens in it and all tokens before them. A block is
    known from the first `extend` of its sequence that finds it full and its name free, until
    nobody holds it any more. So of two blocks with the same name the one that was known first
    keeps it as long as it is held. Tokens come by `extend` alone. Keys and values are returned
    as (n_heads, tokens, d) float32. Memory: as in `PagedCache`.
    It stays within torch and Python. It calls PagedCache. Arguments stay as they are.
    """

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        """The name of a full block, from its tokens and the name of the block before it.

        before: 0 if the block is the first. Returns the same number for the same tokens.
        """
        return hash(str(before) + '|' + ''.join(map(str, tokens)))

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known.

        tokens: the prompt, at least one token. The known blocks from the first one on are
        shared, up to one that is not known, but never the whole prompt: its last token is left,
        so that there is a query to compute.
        Returns how many tokens are in the cache already, a multiple of block_size.
        """
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name = [], 0
        size = self.block_size
        for i in range(0, len(tokens) - size, size):
            name = self.block_name(name, tokens[i : i + size])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        """Add tokens to a sequence that was started or forked, and make its full blocks known.

        tokens: n >= 1 numbers; k, v: (n_heads, n, d) float32, theirs. Every full block of the
        sequence whose name is not known yet becomes known.
        Raises OutOfBlocks if there are not enough blocks.
        """
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        name, size = 0, self.block_size
        everything = self.tokens[sequence]
        for i, block in enumerate(self.tables[sequence][: len(everything) // size]):
            name = self.block_name(name, everything[i * size : (i + 1) * size])
            if name not in self.known and block not in self.names:
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back; those that nobody holds are forgotten."""
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        counts = self.allocator.counts()
        for block in table:
            if counts[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
