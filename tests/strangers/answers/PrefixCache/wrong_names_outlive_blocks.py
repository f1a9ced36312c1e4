# free forgets a name only if the sequence that made the block known is also its last holder: a block whose maker ends first keeps its name after everybody is gone, and a later prompt shares a free or reused block.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence
        self.owner: dict[int, int] = {}  # from a block to the sequence that made it known

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, tuple(tokens)))

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        name, blocks = 0, []
        for i in range(0, len(tokens) - self.block_size, self.block_size):
            name = self.block_name(name, tokens[i : i + self.block_size])
            if name not in self.known:
                break
            blocks.append(self.known[name])
        self.allocator.share(blocks)
        self.tables[sequence] = blocks
        self.tokens[sequence] = list(tokens[: len(blocks) * self.block_size])
        self.lengths[sequence] = len(self.tokens[sequence])
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        name = 0
        for i, block in enumerate(self.tables[sequence][: self.lengths[sequence] // self.block_size]):
            name = self.block_name(name, self.tokens[sequence][i * self.block_size : (i + 1) * self.block_size])
            if name not in self.known:
                self.known[name], self.names[block] = block, name
                self.owner[block] = sequence

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            # only who made a block known may forget it
            if self.owner.get(block) == sequence and self.allocator.holders[block] == 0:
                del self.known[self.names.pop(block)]
                del self.owner[block]
