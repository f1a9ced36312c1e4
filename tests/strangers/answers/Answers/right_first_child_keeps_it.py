# the first successor of an answer goes on in its sequence, and only the others fork
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
        taken, new = set(), []
        for parent in parents:
            if parent in taken:
                child = next(self.unused)
                self.cache.fork(self.sequences[parent], child)
            else:
                child = self.sequences[parent]
                taken.add(parent)
            new.append(child)
        for parent, sequence in enumerate(self.sequences):
            if parent not in taken:
                self.cache.free(sequence)
        self.sequences = new
        return self.model.step(self.cache, new, [[t] for t in tokens])

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
