# Names are running numbers from a dictionary of (name before, tokens), so that no two prefixes can collide; a generator yields the chain.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence
        self.numbers: dict[tuple, int] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        return self.numbers.setdefault((before, tuple(tokens)), len(self.numbers) + 1)

    def _chain(self, tokens):
        name, B = 0, self.block_size
        for i in range(len(tokens) // B):
            name = self.block_name(name, tokens[i * B : i * B + B])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        found = []
        for name in self._chain(tokens[:-1]):
            block = self.known.get(name)
            if block is None:
                break
            found.append(block)
        self.allocator.share(found)
        cached = len(found) * self.block_size
        self.tables[sequence], self.lengths[sequence] = found, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = self.tokens[sequence] + list(tokens)
        for name, block in zip(self._chain(self.tokens[sequence]), self.tables[sequence]):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if not self.allocator.holders[block]:
                name = self.names.pop(block, None)
                if name is not None:
                    self.known.pop(name)
