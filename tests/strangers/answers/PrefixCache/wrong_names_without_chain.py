# The name is a hash of the block's own tokens, `before` is ignored: equal blocks behind different beginnings are shared.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash(tuple(tokens))

    def _names_of(self, tokens):
        out, before = [], 0
        for i in range(0, len(tokens) - self.block_size + 1, self.block_size):
            before = self.block_name(before, tokens[i : i + self.block_size])
            out.append(before)
        return out

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        blocks = []
        for name in self._names_of(tokens[:-1]):
            if name not in self.known:
                break
            blocks.append(self.known[name])
        self.allocator.share(blocks)
        n = len(blocks) * self.block_size
        self.tables[sequence], self.lengths[sequence] = blocks, n
        self.tokens[sequence] = list(tokens[:n])
        return n

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence].extend(tokens)
        for name, block in zip(self._names_of(self.tokens[sequence]), self.tables[sequence]):
            if name not in self.known and block not in self.names:
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
                self.known.pop(self.names.pop(block), None)
