# a helper that lists the names of all full blocks of some tokens, by a cryptographic hash, with itertools and a loop over names that are gone
import hashlib
from itertools import takewhile


class PrefixCache(PagedCache):
    """A paged cache in which prompts with a common prefix share its blocks."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        """The name of a full block, from its tokens and the name of the block before it."""
        text = ",".join(str(int(number)) for number in (before, *tokens))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:15], "big")

    def _chain(self, tokens: list[int], blocks: int) -> list[int]:
        """The names of the first so many blocks of the tokens."""
        names, before = [], 0
        for i in range(blocks):
            before = self.block_name(before, tokens[i * self.block_size : (i + 1) * self.block_size])
            names.append(before)
        return names

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known."""
        if sequence in self.tables:
            raise WrongSequence(sequence)
        names = self._chain(tokens, (len(tokens) - 1) // self.block_size)
        table = [self.known[name] for name in takewhile(self.known.__contains__, names)]
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        """Add tokens to a sequence that was started or forked, and make its full blocks known."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = [*self.tokens[sequence], *tokens]
        names = self._chain(self.tokens[sequence], len(self.tokens[sequence]) // self.block_size)
        for name, block in zip(names, self.tables[sequence]):
            if name not in self.known:
                self.known[name] = block
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back; those that nobody holds are forgotten."""
        super().free(sequence)
        del self.tokens[sequence]
        held = self.counts().tolist()
        for block in [block for block in self.names if held[block] == 0]:
            del self.known[self.names.pop(block)]
