# Wrong: the name mixes the tokens of a block with exclusive or, so blocks with the same tokens in another order (or pairs of equal tokens) have one name and share keys that are not theirs; random prompts pass.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        name = before * 1_000_003 + 0x9E3779B97F4A7C15
        for token in tokens:
            name ^= (int(token) + 1) * 0x100000001B3
        return name & (2**61 - 1)

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        size, name = self.block_size, 0
        self.tables[sequence] = table = []
        for begin in range(0, len(tokens) - size, size):
            name = self.block_name(name, tokens[begin : begin + size])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        self.lengths[sequence] = size * len(table)
        self.tokens[sequence] = list(tokens[: size * len(table)])
        return size * len(table)

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = self.tokens[sequence] + list(tokens)
        size, name = self.block_size, 0
        for i, block in enumerate(self.tables[sequence]):
            part = self.tokens[sequence][i * size : (i + 1) * size]
            if len(part) < size:
                break
            name = self.block_name(name, part)
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
            if block in self.names and self.allocator.holders[block] == 0:
                self.known.pop(self.names.pop(block))
