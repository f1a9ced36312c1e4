# an answer is freed at its last successor, and those without one before all
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
        left = {i: parents.count(i) for i in range(len(self.sequences))}
        for i, n in left.items():
            if n == 0:
                self.cache.free(self.sequences[i])
        grown = []
        for p in parents:
            grown.append(next(self.unused))
            self.cache.fork(self.sequences[p], grown[-1])
            left[p] -= 1
            if left[p] == 0:
                self.cache.free(self.sequences[p])
        self.sequences = grown
        return self.model.step(self.cache, self.sequences, [[t] for t in tokens])

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
