# Right: names are SHA-256 digests of the previous name and the tokens, a generator walks the chain of names, and extend names every full block that the dictionary lacks.
import hashlib


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = repr((int(before), [int(t) for t in tokens]))
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    def _chain(self, tokens: list[int], blocks: int):
        name, size = 0, self.block_size
        for i in range(blocks):
            name = self.block_name(name, tokens[i * size : (i + 1) * size])
            yield i, name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table = []
        for _, name in self._chain(tokens, (len(tokens) - 1) // self.block_size):
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
        said = self.tokens[sequence]
        said.extend(tokens)
        for i, name in self._chain(said, len(said) // self.block_size):
            if name not in self.known:
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
        holders = self.counts().tolist()
        for block in table:
            if holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
