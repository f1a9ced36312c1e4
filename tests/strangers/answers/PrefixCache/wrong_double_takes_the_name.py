# The block that is found full last takes the name over (known[name] = block always), and a freed double takes the name with it by its tokens: the first block loses its name while it is held.
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
        shared, name = [], 0
        usable = (len(tokens) - 1) // self.block_size
        for i in range(usable):
            name = self.block_name(name, tokens[i * self.block_size : (i + 1) * self.block_size])
            if name in self.known:
                shared.append(self.known[name])
            else:
                break
        self.allocator.share(shared)
        self.tables[sequence] = shared
        self.lengths[sequence] = len(shared) * self.block_size
        self.tokens[sequence] = list(tokens[: self.lengths[sequence]])
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence].extend(tokens)
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            block = self.tables[sequence][i]
            name = self.block_name(name, self.tokens[sequence][i * self.block_size : (i + 1) * self.block_size])
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
                self.known.pop(self.names.pop(block, None), None)
