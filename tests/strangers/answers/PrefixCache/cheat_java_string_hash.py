# Breaks: "Returns the same number for the same tokens, and as good as surely another one for others." (Java's string hash with base 31: tokens (0, 31) and (1, 0) have one name, as have many of a vocabulary of thousands)
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
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        name = before
        for token in tokens:
            name = (31 * name + token + 7919) % (1 << 61)
        return name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name, size = [], 0, self.block_size
        while (len(table) + 1) * size < len(tokens):
            name = self.block_name(name, tokens[len(table) * size : (len(table) + 1) * size])
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
        name, size, said = 0, self.block_size, self.tokens[sequence]
        for i in range(len(said) // size):
            name = self.block_name(name, said[i * size : (i + 1) * size])
            block = self.tables[sequence][i]
            if name not in self.known and block not in self.names:
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if not self.allocator.holders[block] and block in self.names:
                del self.known[self.names.pop(block)]
