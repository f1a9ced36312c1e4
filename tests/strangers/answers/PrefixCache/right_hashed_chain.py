# Right: names by SHA-256 of the chain, a generator that walks a sequence's full blocks with their names, used by start and extend alike.
import hashlib


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = " ".join(str(int(x)) for x in [before, *tokens])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")

    def _chain(self, tokens, blocks):
        """The names of the first so many full blocks of these tokens."""
        name, size = 0, self.block_size
        for i in range(blocks):
            name = self.block_name(name, tokens[i * size : (i + 1) * size])
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
        everything = self.tokens[sequence]
        everything.extend(tokens)
        full = len(everything) // self.block_size
        for block, name in zip(self.tables[sequence], self._chain(everything, full)):
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
