# Makes a failed grow undo everything, as transactions do: after OutOfBlocks the old answers are there again, and a grow with parents [0, 1, 2] of three new answers, of which two were one old one's, finds others.
import itertools
from typing import Any

import torch
from torch import Tensor


class Answers:
    """Several answers to one prompt, written at the same time in one paged cache."""

    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        """Compute the prompt, once. Answer 0 begins, and is empty. Returns logits (1, V)."""
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        kept = [next(self.unused) for _ in self.sequences]
        new = [next(self.unused) for _ in parents]
        for parent, child in zip(parents, new):
            self.cache.fork(self.sequences[parent], child)
        old_tables = {s: list(self.cache.tables[s]) for s in self.sequences}
        old = self.sequences
        for sequence in old:
            self.cache.free(sequence)
        try:
            logits = self.model.step(self.cache, new, [[t] for t in tokens])
        except Exception:
            for child in new:
                self.cache.free(child)
            for sequence, table in old_tables.items():
                self.cache.tables[sequence] = table
            raise
        self.sequences = new
        del kept
        return logits

    def table(self, answer: int) -> Tensor:
        """The block table of an answer and its prompt, (blocks,) int32."""
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return self.cache.table(self.sequences[answer])

    def tokens(self, answer: int) -> Tensor:
        """The tokens in the cache of an answer and its prompt, (tokens,) int64."""
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return torch.tensor(self.cache.tokens(self.sequences[answer]))

    def counts(self) -> Tensor:
        """How many answers hold each block, (n_blocks,) int64; 0 is free."""
        return self.cache.counts()
