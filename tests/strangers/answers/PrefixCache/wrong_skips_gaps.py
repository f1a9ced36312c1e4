# Wrong: start collects every known block of the prompt and does not end at the first unknown one, so a later block whose predecessor has lost its name (two equal prompts computed at once, the longer one second, then the first freed) is shared at the beginning of the table; ordinary prefixes are right.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, tuple(tokens)))

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        size = self.block_size
        names, name = [], 0
        for i in range(0, len(tokens) - size, size):
            name = self.block_name(name, tokens[i : i + size])
            names.append(name)
        blocks = [self.known[name] for name in names if name in self.known]
        self.allocator.share(blocks)
        self.tables[sequence] = blocks
        self.lengths[sequence] = size * len(blocks)
        self.tokens[sequence] = list(tokens[: size * len(blocks)])
        return size * len(blocks)

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        size, name = self.block_size, 0
        for i in range(self.lengths[sequence] // size):
            name = self.block_name(name, self.tokens[sequence][i * size : (i + 1) * size])
            block = self.tables[sequence][i]
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
            if self.allocator.holders[block] == 0:
                name = self.names.pop(block, None)
                if name is not None:
                    del self.known[name]
