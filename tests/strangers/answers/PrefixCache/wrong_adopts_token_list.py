# The first extend of a sequence keeps the caller's list of tokens as its own, and the next extend lengthens that argument; a caller who reuses its list then also changes the names.
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
        for first in range(0, len(tokens) - self.block_size, self.block_size):
            name = self.block_name(name, tokens[first : first + self.block_size])
            if name in self.known:
                shared.append(self.known[name])
            else:
                break
        self.allocator.share(shared)
        self.tables[sequence] = shared
        self.lengths[sequence] = len(shared) * self.block_size
        self.tokens[sequence] = tokens[: len(shared) * self.block_size]
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        if self.tokens[sequence]:
            self.tokens[sequence] += tokens
        else:
            self.tokens[sequence] = tokens
        name, everything = 0, self.tokens[sequence]
        for i, block in enumerate(self.tables[sequence]):
            part = everything[i * self.block_size : (i + 1) * self.block_size]
            if len(part) < self.block_size:
                break
            name = self.block_name(name, part)
            if name not in self.known:
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        gone = [block for block in table if self.counts()[block] == 0 and block in self.names]
        for block in gone:
            del self.known[self.names[block]]
            del self.names[block]
