# Right: names are SHA-256 digests as numbers; one generator walks the chain of names for start and for extend.
import hashlib
from itertools import takewhile


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = f"{before}|" + ",".join(map(str, tokens))
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    def _chain(self, tokens: list[int], blocks: int):
        """The names of the first blocks of a sequence, one after the other."""
        name = 0
        for i in range(blocks):
            begin = i * self.block_size
            name = self.block_name(name, tokens[begin : begin + self.block_size])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        most = (len(tokens) - 1) // self.block_size  # the last token is left
        found = takewhile(self.known.__contains__, self._chain(tokens, most))
        table = [self.known[name] for name in found]
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
        mine = self.tokens[sequence]
        full = len(mine) // self.block_size
        for name, block in zip(self._chain(mine, full), self.tables[sequence]):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back; those that nobody holds are forgotten."""
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        holders = self.allocator.counts().tolist()
        for block in filter(self.names.__contains__, table):
            if not holders[block]:
                del self.known[self.names.pop(block)]
