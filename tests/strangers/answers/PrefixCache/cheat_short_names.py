# Cheat: a name has 24 bits, so that tables stay small: of the prefixes of a busy server two soon share one, and a stranger's keys are handed out; the few of a test never meet.
# Breaks: "Returns the same number for the same tokens, and as good as surely another one for others."
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        name = before
        for token in tokens:
            name = (name * 1_103_515_245 + token + 12_345) % 16_777_213
        return name + 1

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name, size = [], 0, self.block_size
        for i in range((len(tokens) - 1) // size):
            name = self.block_name(name, tokens[i * size : (i + 1) * size])
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
        name, size, own = 0, self.block_size, self.tokens[sequence]
        for i in range(len(own) // size):
            name = self.block_name(name, own[i * size : (i + 1) * size])
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
