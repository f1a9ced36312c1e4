# Python's hash of (name before, tuple of tokens); extend walks the whole chain, free forgets names of blocks without holders.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, *tokens))

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        blocks, name, size = [], 0, self.block_size
        for begin in range(0, len(tokens) - size, size):
            name = self.block_name(name, tokens[begin : begin + size])
            if name not in self.known:
                break
            blocks.append(self.known[name])
        self.allocator.share(blocks)
        self.tables[sequence] = blocks
        self.lengths[sequence] = len(blocks) * size
        self.tokens[sequence] = list(tokens[: len(blocks) * size])
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        mine, size, name = self.tokens[sequence], self.block_size, 0
        for i in range(len(mine) // size):
            name = self.block_name(name, mine[i * size : (i + 1) * size])
            if name not in self.known:
                block = self.tables[sequence][i]
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        holders = self.counts().tolist()
        for block in table:
            if holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
