# Names of 26 bits, which a million blocks share many times over.
import torch
from torch import Tensor


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
        return hash((before, *tokens)) % (1 << 26)

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
