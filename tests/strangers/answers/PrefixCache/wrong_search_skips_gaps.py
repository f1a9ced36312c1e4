# The search for known blocks goes on behind an unknown one and shares all that it finds, as if they stood side by side; shows when a first block has been forgotten while a later one of the same chain is still held.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, tuple(tokens)))

    def _chain(self, tokens):
        names = []
        for i in range(len(tokens) // self.block_size):
            part = tokens[i * self.block_size : (i + 1) * self.block_size]
            names.append(self.block_name(names[-1] if names else 0, part))
        return names

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        blocks = [self.known[x] for x in self._chain(tokens[:-1]) if x in self.known]
        self.allocator.share(blocks)
        self.tables[sequence] = blocks
        self.lengths[sequence] = len(blocks) * self.block_size
        self.tokens[sequence] = list(tokens[: self.lengths[sequence]])
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence].extend(tokens)
        for name, block in zip(self._chain(self.tokens[sequence]), self.tables[sequence]):
            if name not in self.known:
                self.known[name] = block
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
