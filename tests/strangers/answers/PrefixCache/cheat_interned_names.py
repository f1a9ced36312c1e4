# Breaks "those that nobody holds are forgotten": names are running numbers from a table of all token runs ever seen, which is never cleared and grows with the history
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
        self.numbers: dict[tuple, int] = {}

    def block_name(self, before: int, tokens: list[int]) -> int:
        run = (before, tuple(tokens))
        if run not in self.numbers:
            self.numbers[run] = len(self.numbers) + 1
        return self.numbers[run]

    def start(self, sequence: int, tokens: list[int]) -> int:
        if sequence in self.tables:
            raise WrongSequence(sequence)
        size, name, table = self.block_size, 0, []
        for i in range((len(tokens) - 1) // size):
            name = self.block_name(name, tokens[i * size : (i + 1) * size])
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
        size, name, text = self.block_size, 0, self.tokens[sequence]
        for i in range(len(text) // size):
            name = self.block_name(name, text[i * size : (i + 1) * size])
            block = self.tables[sequence][i]
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
