# start collects all known blocks of the prompt instead of stopping at the first unknown one; after a first owner ended and a longer twin's later block is still known, a block from the middle is taken for the beginning.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, *tokens))

    def _names_of(self, tokens):
        names = [0]
        for end in range(self.block_size, len(tokens) + 1, self.block_size):
            names.append(self.block_name(names[-1], tokens[end - self.block_size : end]))
        return names[1:]

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        blocks = [self.known[name] for name in self._names_of(tokens[:-1]) if name in self.known]
        self.allocator.share(blocks)
        self.tables[sequence] = blocks
        self.lengths[sequence] = len(blocks) * self.block_size
        self.tokens[sequence] = tokens[: self.lengths[sequence]]
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = [*self.tokens[sequence], *tokens]
        for name, block in zip(self._names_of(self.tokens[sequence]), self.tables[sequence]):
            if name not in self.known:
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if block in self.names and not self.allocator.holders[block]:
                self.known.pop(self.names.pop(block))
