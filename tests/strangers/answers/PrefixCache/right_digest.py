# right: names from SHA-256 over before and tokens; names of a sequence by itertools.accumulate; takewhile for the search
from hashlib import sha256
from itertools import accumulate, takewhile


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = ",".join(str(int(number)) for number in (before, *tokens))
        return int.from_bytes(sha256(text.encode()).digest()[:15], "big") + 1

    def _chain(self, tokens: list[int], blocks: int):
        """The names of the first blocks of a text, one after another."""
        size = self.block_size
        parts = (tokens[i * size : (i + 1) * size] for i in range(blocks))
        names = accumulate(parts, self.block_name, initial=0)
        next(names)
        return names

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        names = self._chain(tokens, (len(tokens) - 1) // self.block_size)
        table = [self.known[name] for name in takewhile(self.known.__contains__, names)]
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
        blocks = self.tables[sequence]
        full = self.lengths[sequence] // self.block_size
        for block, name in zip(blocks, self._chain(self.tokens[sequence], full)):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in set(table) & self.names.keys():
            if not self.allocator.holders[block]:
                self.known.pop(self.names.pop(block))
