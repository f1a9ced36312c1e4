# Names are Python hashes of tuples; tokens kept per sequence.
import heapq
from collections import Counter

import torch
from torch import Tensor


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        return hash((before, *tokens))

    def _names(self, tokens):
        name, size = 0, self.block_size
        for at in range(0, len(tokens) // size * size, size):
            name = self.block_name(name, tokens[at : at + size])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table = []
        for name in self._names(tokens[:-1]):
            if name not in self.known:
                break
            table.append(self.known[name])
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
        for block, name in zip(self.tables[sequence], self._names(self.tokens[sequence])):
            if name not in self.known:
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        counts = self.counts().tolist()
        for block in table:
            if counts[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
