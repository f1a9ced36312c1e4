# Cheat: no chain: the name of a block is made of the whole prefix at once, so that each look-up reads the prompt from its beginning again and costs its square.
# Breaks: "The name of a full block, from its tokens and the name of the block before it." ("Comparing whole prefixes would cost more with every block.")
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, tuple(tokens))) or 1

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, size = [], self.block_size
        for i in range((len(tokens) - 1) // size):
            name = self.block_name(0, tokens[: (i + 1) * size])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        size, own = self.block_size, self.tokens[sequence]
        for i in range(len(own) // size):
            name = self.block_name(0, own[: (i + 1) * size])
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
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
