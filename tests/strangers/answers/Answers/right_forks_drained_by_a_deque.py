# Right: islice for fresh numbers, collections.deque to run a map for its effects.
import itertools
from collections import deque

import torch
from torch import Tensor


class Answers:
    def __init__(self, model, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        old = self.sequences
        self.sequences = list(itertools.islice(self.unused, len(parents)))
        deque(map(self.cache.fork, (old[p] for p in parents), self.sequences), maxlen=0)
        deque(map(self.cache.free, old), maxlen=0)
        if not self.sequences:
            return torch.empty(0, self.model.config.vocabulary)
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
