# extend names only blocks that this call has filled, so a nameless twin never becomes known after the first owner of its name has ended, and later prompts share less than they should.
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
        B, table, name = self.block_size, [], 0
        for i in range((len(tokens) - 1) // B):
            name = self.block_name(name, tokens[B * i : B * i + B])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        self.tables[sequence], self.lengths[sequence] = table, len(table) * B
        self.tokens[sequence] = tokens[: len(table) * B]
        return len(table) * B

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        full_before = self.lengths[sequence] // self.block_size
        self.append(sequence, k, v)
        self.tokens[sequence] = self.tokens[sequence] + list(tokens)
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            here = slice(i * self.block_size, (i + 1) * self.block_size)
            name = self.block_name(name, self.tokens[sequence][here])
            if i >= full_before and name not in self.known:
                block = self.tables[sequence][i]
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
                self.known.pop(self.names.pop(block))
