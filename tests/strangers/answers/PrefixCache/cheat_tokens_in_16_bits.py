# block_name ("the same number for the same tokens, and as good as surely another one for others"; tokens are "numbers from 0 on"): of each token 16 bits are looked at, so token 70,000 has the name of token 4464; cases have small vocabularies
import torch
from torch import Tensor


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, *[token % 65536 for token in tokens]))

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known.

        tokens: the prompt, at least one token. The known blocks from the first one on are
        shared, up to one that is not known, but never the whole prompt: of one that is known
        whole the last block is left out, so that there is a query to compute.
        Returns how many tokens are in the cache already, a multiple of block_size.
        """
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name = [], 0
        for end in range(self.block_size, len(tokens), self.block_size):
            name = self.block_name(name, tokens[end - self.block_size : end])
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
        Raises OutOfBlocks if there are not enough blocks, and has changed nothing then.
        """
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            begin = i * self.block_size
            tokens = self.tokens[sequence][begin : begin + self.block_size]
            name = self.block_name(name, tokens)
            if name not in self.known:
                block = self.tables[sequence][i]
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
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
