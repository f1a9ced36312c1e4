# Wrong: extend names only the blocks that its own tokens have filled, so a block that found its name taken stays nameless for ever, although after the first holder's end the next extend has to make it known; needs equal prompts in one step, a free and another extend.
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
        shared: list[int] = []
        name, size = 0, self.block_size
        while (len(shared) + 1) * size < len(tokens):
            begin = len(shared) * size
            name = self.block_name(name, tokens[begin : begin + size])
            block = self.known.get(name)
            if block is None:
                break
            shared.append(block)
        self.allocator.share(shared)
        self.tables[sequence] = shared
        self.lengths[sequence] = len(shared) * size
        self.tokens[sequence] = list(tokens[: len(shared) * size])
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        size = self.block_size
        full_before = len(self.tokens[sequence]) // size
        self.tokens[sequence] += tokens
        name = 0
        for i in range(len(self.tokens[sequence]) // size):
            name = self.block_name(name, self.tokens[sequence][i * size : (i + 1) * size])
            if i >= full_before and name not in self.known:
                block = self.tables[sequence][i]
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
            if self.allocator.holders[block] == 0:
                name = self.names.pop(block, None)
                if name is not None:
                    del self.known[name]
