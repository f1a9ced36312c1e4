# style: hashlib.blake2b for names, struct-free bytes, takewhile
import hashlib
from itertools import takewhile

import torch
from torch import Tensor


class PrefixCache(PagedCache):
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.tokens: dict[int, list[int]] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        text = f"{before}:{','.join(map(str, tokens))}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") | 1

    def _names_of(self, tokens: list[int]):
        """The names of the full blocks of a text, one after the other."""
        name = 0
        for i in range(0, len(tokens) - self.block_size + 1, self.block_size):
            name = self.block_name(name, tokens[i : i + self.block_size])
            yield name

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        names = self._names_of(tokens[:-1])  # never the whole prompt
        table = [self.known[name] for name in takewhile(self.known.__contains__, names)]
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
        for block, name in zip(self.tables[sequence], self._names_of(self.tokens[sequence])):
            if name not in self.known and block not in self.names:
                self.known[name] = block
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
