# style: dict of successors, try/finally, set difference
import itertools
from typing import Any

import torch
from torch import Tensor


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
        old = self.sequences
        new = []
        for parent in parents:
            number = next(self.unused)
            self.cache.fork(old[parent], number)
            new.append(number)
        for sequence in old:
            self.cache.free(sequence)
        self.sequences = new
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
