# A student's: fork forgets the name of the parent's last block, because it will be copied. A full block is not: the next start does not find it.
class PrefixCache(PagedCache):
    def __init__(self, n_blocks, block_size, n_heads, d):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before, tokens):
        return hash((before, *tokens))

    def start(self, sequence, tokens):
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name = [], 0
        for begin in range(0, (len(tokens) - 1) // self.block_size * self.block_size, self.block_size):
            name = self.block_name(name, tokens[begin : begin + self.block_size])
            if name not in self.known:
                break
            table.append(self.known[name])
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
        name, text = 0, self.tokens[sequence]
        for i in range(len(text) // self.block_size):
            name = self.block_name(name, text[i * self.block_size : (i + 1) * self.block_size])
            block = self.tables[sequence][i]
            if name not in self.known:
                self.known[name] = block
                self.names[block] = name

    def fork(self, parent, child):
        super().fork(parent, child)
        last = self.tables[parent][-1:]
        for block in last:
            self.known.pop(self.names.pop(block, None), None)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence):
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
