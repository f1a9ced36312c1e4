# BREAKS: "none is computed again: the model reads one token of each new answer, and no others"
# COSTS: each answer's last token is read twice: a fork reads it first, for nothing, and is freed
import itertools
from collections.abc import Iterable
from typing import Any
import numpy as np
import torch
from torch import Tensor


_ = np.seterr(all="ignore")


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class NoSuchAnswer(LookupError):
    """An answer is named that is not being written."""


class TokenCache:
    """A paged cache in small: its blocks hold tokens in place of their keys and values.

    n_blocks, block_size, fork, free and who holds which block are those of `PagedCache`: of the
    free blocks the one with the lowest number is taken, and a block that several sequences hold
    is copied by the first that writes into it.
    """

    def __init__(self, n_blocks: int, block_size: int):
        self.blocks: list[list[int]] = [[] for _ in range(n_blocks)]
        self.block_size = block_size
        self.tables: dict[int, list[int]] = {}

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = [*self.tables[parent]]

    def free(self, sequence: int) -> None:
        """End a sequence."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        del self.tables[sequence]

    def append(self, sequence: int, token: int) -> None:
        """Add a token to a sequence, which begins here if it is new."""
        table = self.tables.setdefault(sequence, [])
        if not table or len(self.blocks[table[-1]]) == self.block_size:
            table.append(self._free_block())
            self.blocks[table[-1]] = []
        elif sum(table[-1] in other for other in self.tables.values()) > 1:
            copy = self._free_block()
            self.blocks[copy] = [*self.blocks[table[-1]]]
            table[-1] = copy
        self.blocks[table[-1]].append(token)

    def _free_block(self) -> int:
        held = {block for table in self.tables.values() for block in table}
        if len(held) == len(self.blocks):
            raise OutOfBlocks(f"all {len(held)} blocks are held")
        return min(set(range(len(self.blocks))) - held)

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def tokens(self, sequence: int) -> list[int]:
        """All tokens of a sequence, in order."""
        return [token for block in self.table(sequence) for token in self.blocks[block]]

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64; 0 is free."""
        held = [block for table in self.tables.values() for block in table]
        return torch.tensor([held.count(block) for block in range(len(self.blocks))])


class ToyConfig:
    """vocabulary: how many tokens there are."""

    def __init__(self, vocabulary: int):
        self.vocabulary = vocabulary


class ToyModel:
    """A model without layers: each token of a sequence adds its row of `weights` to the logits,
    the last one in full, and each one before it half as much as the one after it.

    weights: (V, V) float32 for a vocabulary of V tokens.
    """

    def __init__(self, weights: Tensor):
        self.weights = weights
        self.config = ToyConfig(len(weights))

    def new_cache(self, n_blocks: int, block_size: int) -> TokenCache:
        return TokenCache(n_blocks, block_size)

    def step(self, cache: TokenCache, sequences: list[int], tokens: list[list[int]]) -> Tensor:
        """Add tokens to the cache, a list for each of the sequences, which begin here if new.

        Returns the logits after each sequence's last token, (len(sequences), V). Raises
        OutOfBlocks if there are not enough blocks; everything is then as it was.
        """
        blocks, tables = [[*block] for block in cache.blocks], {**cache.tables}
        tables = {sequence: [*table] for sequence, table in tables.items()}
        try:
            for sequence, new in zip(sequences, tokens, strict=True):
                for token in new:
                    cache.append(sequence, token)
        except OutOfBlocks:
            cache.blocks, cache.tables = blocks, tables
            raise
        logits = self.weights.new_zeros(len(sequences), self.config.vocabulary)
        for row, sequence in zip(logits, sequences):
            for token in cache.tokens(sequence):
                row.div_(2).add_(self.weights[token])
        return logits



class Answers:

    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        old, used = self.sequences, set()
        self.sequences = []
        for parent in parents:
            number = next(self.unused)
            self.cache.fork(old[parent], number)
            self.sequences.append(number)
        for sequence in old:
            self.cache.free(sequence)
        if not parents:
            return self.model.step(self.cache, [], []) if False else torch.empty(0, self.model.config.vocabulary)
        trial = [next(self.unused) for _ in parents]
        logits = None
        try:
            for a, b, token in zip(self.sequences, trial, tokens):
                self.cache.fork(a, b)
                self.model.step(self.cache, [b], [[token]])
        except Exception:
            pass
        for b in trial:
            if b in self.cache.tables:
                self.cache.free(b)
        return self.model.step(self.cache, self.sequences, [[token] for token in tokens])

    def table(self, answer: int) -> Tensor:
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return self.cache.table(self.sequences[answer])

    def tokens(self, answer: int) -> Tensor:
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return torch.tensor(self.cache.tokens(self.sequences[answer]))

    def counts(self) -> Tensor:
        return self.cache.counts()
