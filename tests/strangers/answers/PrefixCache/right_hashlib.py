# names by hashlib.blake2b, full blocks enumerated by a generator, itertools.takewhile's idea by hand
import hashlib


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        """The name of a full block, from its tokens and the name of the block before it."""
        text = ",".join(str(int(number)) for number in (before, *tokens))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")

    def _full_blocks(self, tokens: list[int], most: int):
        """The names of the first full blocks of a text, in order."""
        name, size = 0, self.block_size
        for index in range(most):
            name = self.block_name(name, tokens[index * size : (index + 1) * size])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known."""
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table = []
        for name in self._full_blocks(tokens, (len(tokens) - 1) // self.block_size):
            if name not in self.known:
                break
            table.append(self.known[name])
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
        self.tokens[sequence] += tokens
        full = self.lengths[sequence] // self.block_size
        names = self._full_blocks(self.tokens[sequence], full)
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
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
