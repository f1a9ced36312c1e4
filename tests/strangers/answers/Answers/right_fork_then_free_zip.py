# Right: forks in a comprehension, frees the old ones with a for loop over a swapped tuple, type(self).__name__ in repr
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

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.sequences)} answers>"

    def start(self, prompt: list[int]) -> Tensor:
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        old, new = self.sequences, list(itertools.islice(self.unused, len(parents)))
        for parent, child in zip(parents, new, strict=True):
            self.cache.fork(old[parent], child)
        self.sequences = new
        for sequence in old:
            self.cache.free(sequence)
        if not new:
            return torch.empty(0, self.model.config.vocabulary)
        return self.model.step(self.cache, new, [[token] for token in tokens])

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
