# SHA-256 over the previous name and the tokens as the name; extend walks the whole chain and names what has no known name.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        import hashlib

        text = repr((int(before), [int(t) for t in tokens]))
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    def _chain(self, tokens, blocks):
        name = 0
        for i in range(blocks):
            name = self.block_name(name, tokens[i * self.block_size : (i + 1) * self.block_size])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table = []
        for name in self._chain(tokens, (len(tokens) - 1) // self.block_size):
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = list(tokens[:cached])
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        mine = self.tokens[sequence]
        mine.extend(tokens)
        names = self._chain(mine, len(mine) // self.block_size)
        for block, name in zip(self.tables[sequence], names):
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
