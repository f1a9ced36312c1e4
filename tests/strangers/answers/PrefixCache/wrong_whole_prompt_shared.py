# Shares every known block even if the prompt then is in the cache whole: for a known prompt whose length is a multiple of block_size no token is left to compute.
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
        size, name, i, blocks = self.block_size, 0, 0, []
        while (i + 1) * size <= len(tokens):
            name = self.block_name(name, tokens[i * size : (i + 1) * size])
            if name not in self.known:
                break
            blocks.append(self.known[name])
            i += 1
        self.allocator.share(blocks)
        self.tables[sequence], self.lengths[sequence] = blocks, i * size
        self.tokens[sequence] = list(tokens[: i * size])
        return i * size

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += list(tokens)
        name = 0
        for i in range(len(self.tokens[sequence]) // self.block_size):
            part = self.tokens[sequence][i * self.block_size :][: self.block_size]
            name = self.block_name(name, part)
            if name not in self.known:
                self.known[name] = self.tables[sequence][i]
                self.names[self.tables[sequence][i]] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for b in table:
            if self.allocator.holders[b] == 0 and b in self.names:
                del self.known[self.names.pop(b)]
