# Blocks that nobody holds any more are overwritten with NaN by free.
import torch
from torch import Tensor


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
            name = hash((name, token))
        return name or 1

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name, size = [], 0, self.block_size
        for i in range(0, len(tokens) - size, size):
            name = self.block_name(name, tokens[i : i + size])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        cached = len(table) * size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] += tokens
        text, table, size, name = self.tokens[sequence], self.tables[sequence], self.block_size, 0
        for i in range(len(text) // size):
            name = self.block_name(name, text[i * size : (i + 1) * size])
            if name not in self.known and table[i] not in self.names:
                self.known[name] = table[i]
                self.names[table[i]] = name

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        for block in table:
            if self.allocator.holders[block] == 0:
                self.k[block] = torch.nan
                self.v[block] = torch.nan
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
