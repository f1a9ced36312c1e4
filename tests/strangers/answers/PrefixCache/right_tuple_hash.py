# Python's hash of (name before, tuple of tokens) and setdefault for the first to be known; frees by rebuilding from the counts.
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
        B, name, found = self.block_size, 0, []
        while (len(found) + 1) * B < len(tokens):
            name = self.block_name(name, tokens[len(found) * B : (len(found) + 1) * B])
            block = self.known.get(name)
            if block is None:
                break
            found.append(block)
        self.allocator.share(found)
        self.tables[sequence] = found
        self.lengths[sequence] = B * len(found)
        self.tokens[sequence] = [*tokens[: B * len(found)]]
        return B * len(found)

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = self.tokens[sequence] + list(tokens)
        every, B, name = self.tokens[sequence], self.block_size, 0
        for i, block in enumerate(self.tables[sequence][: len(every) // B]):
            name = self.block_name(name, every[i * B : (i + 1) * B])
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        held = self.counts() > 0
        self.names = {block: name for block, name in self.names.items() if held[block]}
        self.known = {name: block for block, name in self.names.items()}
