# style: a generator of names, takewhile, names by hashlib
import hashlib
from itertools import takewhile

import torch
from torch import Tensor


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = repr((before, list(map(int, tokens)))).encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:15], "big") + 1

    def chain(self, tokens: list[int]):
        """Names of the full blocks, one after the other."""
        name = 0
        for end in range(self.block_size, len(tokens) + 1, self.block_size):
            name = self.block_name(name, tokens[end - self.block_size : end])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        found = takewhile(self.known.__contains__, self.chain(tokens[:-1]))
        table = [self.known[name] for name in found]
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
        for block, name in zip(self.tables[sequence], self.chain(self.tokens[sequence])):
            if self.known.setdefault(name, block) == block:
                self.names[block] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
