# Breaks: "as good as surely another one for others" (a name has 20 bits: among some thousand blocks two share one)
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class PrefixCache(PagedCache):
    def __init__(self, n_blocks, block_size, n_heads, d):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before, tokens):
        return 1 + hash((before, *tokens)) % (1 << 20)

    def start(self, sequence, tokens):
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name, size = [], 0, self.block_size
        for i in range((len(tokens) - 1) // size):
            name = self.block_name(name, tokens[i * size : i * size + size])
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
        name, size, text = 0, self.block_size, self.tokens[sequence]
        for i, block in enumerate(self.tables[sequence][: len(text) // size]):
            name = self.block_name(name, text[i * size : i * size + size])
            if name not in self.known:
                self.known[name] = block
                self.names[block] = name

    def fork(self, parent, child):
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence):
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        counts = self.counts()
        for block in table:
            if counts[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
