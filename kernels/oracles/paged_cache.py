"""The oracles of `paged_cache`: models that look for what they need and keep no lists of it."""

from __future__ import annotations

from math import ceil

import torch
from torch import Tensor

from kernels.paged_cache import NotHeld, OutOfBlocks, WrongSequence


class AllocatorModel:
    """Only the counts; what is free is what nobody holds."""

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def allocate(self, n: int) -> list[int]:
        unheld = [block for block, count in enumerate(self.holders) if count == 0]
        if len(unheld) < n:
            raise OutOfBlocks
        for block in unheld[:n]:
            self.holders[block] = 1
        return unheld[:n]

    def share(self, blocks: list[int]) -> None:
        if 0 in [self.holders[block] for block in blocks]:
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        left = list(self.holders)
        for block in blocks:
            left[block] -= 1
        if min(left) < 0:
            raise NotHeld
        self.holders = left

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)


class CacheModel:
    """Every sequence with all its keys and values in one piece, and beside them the numbers of its blocks."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.n_blocks, self.block_size = n_blocks, block_size
        self.pool = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.nothing = torch.zeros(n_heads, 0, d)
        self.contents: dict[int, tuple[Tensor, Tensor]] = {}
        self.blocks: dict[int, list[int]] = {}

    def counts(self) -> Tensor:
        held = [block for table in self.blocks.values() for block in table]
        return torch.tensor([held.count(block) for block in range(self.n_blocks)])

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = list(self.blocks.get(sequence, []))
        old = self.contents.get(sequence)
        length = old[0].shape[1] if old else 0
        counts = self.counts().tolist()
        if length % self.block_size and counts[table[-1]] > 1:
            table.pop()
        unheld = [block for block in range(self.n_blocks) if counts[block] == 0]
        wanted = ceil((length + k.shape[1]) / self.block_size) - len(table)
        if wanted > len(unheld):
            raise OutOfBlocks
        self.blocks[sequence] = table + unheld[:wanted]
        self.contents[sequence] = (torch.cat([old[0], k], 1), torch.cat([old[1], v], 1)) if old else (k, v)

    def in_blocks(self, which: int) -> Tensor:
        """The pool of the keys (0) or of the values (1), NaN in slots that hold no token."""
        pool = self.pool.clone()
        for sequence, contents in self.contents.items():
            for i, token in enumerate(contents[which].unbind(1)):
                pool[self.blocks[sequence][i // self.block_size], :, i % self.block_size] = token
        return pool

    @property
    def k(self) -> Tensor:
        return self.in_blocks(0)

    @property
    def v(self) -> Tensor:
        return self.in_blocks(1)

    @property
    def tables(self) -> dict[int, list[int]]:
        return self.blocks

    @property
    def lengths(self) -> dict[int, int]:
        return {sequence: k.shape[1] for sequence, (k, _) in self.contents.items()}

    def expect(self, sequence: int, there: bool = True) -> None:
        if (sequence in self.blocks) != there:
            raise WrongSequence

    def fork(self, parent: int, child: int) -> None:
        self.expect(parent)
        self.expect(child, there=False)
        self.blocks[child] = list(self.blocks[parent])
        if parent in self.contents:
            self.contents[child] = self.contents[parent]

    def free(self, sequence: int) -> None:
        self.expect(sequence)
        self.contents.pop(sequence, None)
        del self.blocks[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        self.expect(sequence)
        return self.contents.get(sequence, (self.nothing, self.nothing))

    def table(self, sequence: int) -> Tensor:
        self.expect(sequence)
        return torch.tensor(self.blocks[sequence], dtype=torch.int32)


class PrefixModel(CacheModel):
    """The name of a block is the sequence up to the end of the block."""

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.tokens: dict[int, list[int]] = {}
        self.known: dict[tuple[int, ...], int] = {}

    def start(self, sequence: int, tokens: list[int]) -> int:
        self.expect(sequence, there=False)
        ends = []
        for end in range(self.block_size, len(tokens), self.block_size):
            if tuple(tokens[:end]) not in self.known:
                break
            ends.append(end)
        cached = ends[-1] if ends else 0
        self.blocks[sequence] = [self.known[tuple(tokens[:end])] for end in ends]
        self.tokens[sequence] = tokens[:cached]
        if cached:
            pieces = [self.piece(i, block, sequence) for i, block in enumerate(self.blocks[sequence])]
            self.contents[sequence] = (torch.cat([k for k, _ in pieces], 1), torch.cat([v for _, v in pieces], 1))
        return cached

    def piece(self, i: int, block: int, sequence: int) -> tuple[Tensor, Tensor]:
        """What another sequence has in a block, which is the i-th of each that holds it."""
        other = next(s for s, table in self.blocks.items() if s != sequence and block in table)
        tokens = slice(i * self.block_size, (i + 1) * self.block_size)
        k, v = self.contents[other]
        return k[:, tokens], v[:, tokens]

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        self.expect(sequence)
        self.append(sequence, k, v)
        self.tokens[sequence] = known = self.tokens[sequence] + tokens
        for i, block in enumerate(self.blocks[sequence]):
            end = (i + 1) * self.block_size
            if end <= len(known):
                self.known.setdefault(tuple(known[:end]), block)

    def fork(self, parent: int, child: int) -> None:
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        super().free(sequence)
        del self.tokens[sequence]
        counts = self.counts().tolist()
        self.known = {name: block for name, block in self.known.items() if counts[block]}
