# extend names only the blocks that it has just filled: a nameless double whose twin has been freed stays nameless at the next extend, though its name is not known any more.
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
        B, hits, h = self.block_size, [], 0
        for i in range((len(tokens) - 1) // B):
            h = self.block_name(h, tokens[i * B : i * B + B])
            if h not in self.known:
                break
            hits.append(self.known[h])
        self.allocator.share(hits)
        self.tables[sequence] = hits
        self.lengths[sequence] = B * len(hits)
        self.tokens[sequence] = tokens[: B * len(hits)]
        return B * len(hits)

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        B = self.block_size
        full_before = self.lengths[sequence] // B
        self.append(sequence, k, v)
        all_tokens = self.tokens[sequence] = self.tokens[sequence] + list(tokens)
        h = 0
        for i in range(len(all_tokens) // B):
            h = self.block_name(h, all_tokens[i * B : i * B + B])
            if i >= full_before and h not in self.known:
                self.known[h] = self.tables[sequence][i]
                self.names[self.tables[sequence][i]] = h

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for b in table:
            if self.allocator.holders[b] == 0:
                h = self.names.pop(b, None)
                if h is not None:
                    del self.known[h]
