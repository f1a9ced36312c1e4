# names are cryptographic hashes of a text; one generator walks the chain for start and extend alike; forgetting looks at what is still held; right
import hashlib
from itertools import takewhile


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = f"{int(before)}|" + ",".join(str(int(token)) for token in tokens)
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")

    def chain(self, tokens: list[int], blocks: int):
        """The names of the first full blocks of these tokens, one after the other."""
        name, size = 0, self.block_size
        for begin in range(0, blocks * size, size):
            name = self.block_name(name, tokens[begin : begin + size])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        names = self.chain(tokens, (len(tokens) - 1) // self.block_size)
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
        mine = self.tokens[sequence]
        names = self.chain(mine, len(mine) // self.block_size)
        for name, block in zip(names, self.tables[sequence]):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        gone = {block for block in table if not self.allocator.holders[block]}
        for block in gone & self.names.keys():
            del self.known[self.names.pop(block)]
