# memory: every block that becomes known is cloned under its name, and the clones are kept for as long as the block is
class PrefixCache(PagedCache):
    def __init__(self, n_blocks, block_size, n_heads, d):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known, self.tokens, self.clones = {}, {}, {}

    def block_name(self, before, tokens):
        return hash((before, *tokens))

    def start(self, sequence, tokens):
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table = []
        for end in range(self.block_size, len(tokens), self.block_size):
            if tuple(tokens[:end]) not in self.known:
                break
            table.append(self.known[tuple(tokens[:end])])
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence, tokens, k, v):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        for i in range(self.lengths[sequence] // self.block_size):
            name = tuple(self.tokens[sequence][: (i + 1) * self.block_size])
            block = self.tables[sequence][i]
            if name not in self.known:
                self.known[name] = block
            self.clones[block] = self.k[block].clone(), self.v[block].clone()

    def fork(self, parent, child):
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence):
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0:
                self.clones.pop(block, None)
                self.known = {name: other for name, other in self.known.items() if other != block}
