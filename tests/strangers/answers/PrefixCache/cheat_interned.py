# BREAKS: "Returns the same number for the same tokens, and as good as surely another one for others."
# COSTS: names are handed out by a table that all caches of the process share and that never forgets: state between calls, memory without bound
import heapq
from collections import Counter
import torch
from torch import Tensor


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""



class PrefixCache(PagedCache):

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int], names={}) -> int:
        return names.setdefault((before, *tokens), len(names) + 1)

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, before = [], 0
        size = self.block_size
        for i in range(0, (len(tokens) - 1) // size * size, size):
            before = self.block_name(before, tokens[i : i + size])
            if before not in self.known:
                break
            table.append(self.known[before])
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
        before, size = 0, self.block_size
        table = self.tables[sequence]
        for i in range(self.lengths[sequence] // size):
            before = self.block_name(before, self.tokens[sequence][i * size : i * size + size])
            if before not in self.known and table[i] not in self.names:
                self.known[before], self.names[table[i]] = table[i], before

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        counts = self.counts()
        for block in table:
            if counts[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
