# Wrong: extend gives the name to the newest block of that content (known[name] = block without a look), so of two equal prompts computed at once the second takes the name from the first, and start shares the wrong one; when the second is freed the name goes although the first is held; prompts that were never computed twice are right.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, *tokens))

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        found, before = [], 0
        while (len(found) + 1) * self.block_size < len(tokens):
            at = len(found) * self.block_size
            before = self.block_name(before, tokens[at : at + self.block_size])
            if before not in self.known:
                break
            found.append(self.known[before])
        self.allocator.share(found)
        self.tables[sequence] = found
        self.lengths[sequence] = len(found) * self.block_size
        self.tokens[sequence] = list(tokens[: self.lengths[sequence]])
        return self.lengths[sequence]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = self.tokens[sequence] + list(tokens)
        everything, before = self.tokens[sequence], 0
        for i, block in enumerate(self.tables[sequence]):
            content = everything[i * self.block_size : (i + 1) * self.block_size]
            if len(content) < self.block_size:
                break
            before = self.block_name(before, content)
            self.known[before] = block
            self.names[block] = before

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
