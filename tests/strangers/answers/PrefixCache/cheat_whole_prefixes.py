# memory: beside the pool each sequence keeps all its keys and values in one piece, which is what gather returns
import torch


class PrefixCache(PagedCache):
    def __init__(self, n_blocks, block_size, n_heads, d):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known, self.tokens, self.whole = {}, {}, {}

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
        self.whole[sequence] = super().gather(sequence)
        return cached

    def extend(self, sequence, tokens, k, v):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        before = self.whole[sequence]
        self.whole[sequence] = torch.cat([before[0], k], dim=1), torch.cat([before[1], v], dim=1)
        self.tokens[sequence] += tokens
        for i in range(self.lengths[sequence] // self.block_size):
            name = tuple(self.tokens[sequence][: (i + 1) * self.block_size])
            self.known.setdefault(name, self.tables[sequence][i])

    def gather(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return self.whole[sequence][0].clone(), self.whole[sequence][1].clone()

    def fork(self, parent, child):
        super().fork(parent, child)
        self.tokens[child], self.whole[child] = list(self.tokens[parent]), self.whole[parent]

    def free(self, sequence):
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence], self.whole[sequence]
        for block in table:
            if self.allocator.holders[block] == 0:
                self.known = {name: other for name, other in self.known.items() if other != block}
