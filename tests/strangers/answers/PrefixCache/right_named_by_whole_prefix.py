# Names come from a helper generator; a block's name is hash of (before, tuple of tokens), 0 avoided.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, tuple(tokens))) or 1

    def _chain(self, tokens, blocks):
        name = 0
        for i in range(blocks):
            name = self.block_name(name, tokens[self.block_size * i : self.block_size * (i + 1)])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table = []
        for name in self._chain(tokens, (len(tokens) - 1) // self.block_size):
            block = self.known.get(name)
            if block is None:
                break
            table.append(block)
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        text = self.tokens[sequence] + list(tokens)
        self.tokens[sequence] = text
        for name, block in zip(
            self._chain(text, len(text) // self.block_size), self.tables[sequence]
        ):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        counts = self.counts().tolist()
        for block in table:
            if not counts[block]:
                name = self.names.pop(block, None)
                if name is not None:
                    del self.known[name]
