# Chains by XOR of the blocks' hashes, which forgets order and cancels repeats: prompts with the same blocks in another order, or with a block twice (A A B and B), share blocks of different prefixes.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return before ^ hash(tuple(tokens))

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name = [], 0
        for i in range(0, len(tokens) - self.block_size, self.block_size):
            name = self.block_name(name, tokens[i : i + self.block_size])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        self.tables[sequence] = table
        self.lengths[sequence] = n = len(table) * self.block_size
        self.tokens[sequence] = tokens[:n]
        return n

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = self.tokens[sequence] + tokens
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            part = self.tokens[sequence][i * self.block_size : (i + 1) * self.block_size]
            name = self.block_name(name, part)
            if name not in self.known:
                self.known[name] = self.tables[sequence][i]
                self.names[self.tables[sequence][i]] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0:
                name = self.names.pop(block, None)
                if name is not None:
                    self.known.pop(name, None)
