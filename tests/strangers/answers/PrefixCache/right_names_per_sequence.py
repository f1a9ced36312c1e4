# Keeps each sequence's chain of names, so that extend names only what has become full, and asks counts() who is free.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}
        self.chains: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, *tokens))

    def longer(self, chain: list[int], tokens: list[int]) -> list[int]:
        chain, size = list(chain), self.block_size
        while (len(chain) + 1) * size <= len(tokens):
            first = len(chain) * size
            chain.append(self.block_name(chain[-1] if chain else 0, tokens[first : first + size]))
        return chain

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        chain = self.longer([], tokens[: len(tokens) - 1])
        n = 0
        while n < len(chain) and chain[n] in self.known:
            n += 1
        table = [self.known[name] for name in chain[:n]]
        self.allocator.share(table)
        self.chains[sequence] = chain[:n]
        cached = n * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        self.chains[sequence] = self.longer(self.chains[sequence], self.tokens[sequence])
        for block, name in zip(self.tables[sequence], self.chains[sequence], strict=False):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])
        self.chains[child] = list(self.chains[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence], self.chains[sequence]
        counts = self.counts().tolist()
        for block in table:
            if not counts[block] and block in self.names:
                self.known.pop(self.names.pop(block))
