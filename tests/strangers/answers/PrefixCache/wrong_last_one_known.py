# Wrong: a second block with the same name takes the name over from the first, which is still held.
# Breaks: "of two blocks with the same name the one that was known first keeps it as long as it is held."
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
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    PagedCache. Arguments stay as they are.
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
        return hash((before, *tokens)) or 1

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known.

        tokens: the prompt, at least one token. The known blocks from the first one on are
        shared, up to one that is not known, but never the whole prompt: of one that is known
        whole the last block is left out, so that there is a query to compute.
        Returns how many tokens are in the cache already, a multiple of block_size.
        """
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, before = [], 0
        for i in range(0, (len(tokens) - 1) // self.block_size * self.block_size, self.block_size):
            before = self.block_name(before, tokens[i : i + self.block_size])
            if before not in self.known:
                break
            table.append(self.known[before])
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
        before, size = 0, self.block_size
        for i in range(self.lengths[sequence] // size):
            before = self.block_name(before, self.tokens[sequence][i * size : (i + 1) * size])
            block = self.tables[sequence][i]
            self.known[before] = block
            self.names[block] = before

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
            if not self.allocator.holders[block] and block in self.names:
                name = self.names.pop(block)
                if self.known.get(name) == block:
                    del self.known[name]
