# Breaks: "before the tokens take their room, which one call of `step` does" (the room is counted first, then each answer gets a pass of the model of its own)
import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor

_ = np.seterr(all="ignore")  # -inf is in the contract: look at the numbers, not the warnings


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NoSuchAnswer(LookupError):
    """An answer is named that is not being written."""


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
        old, new = self.sequences, []
        for parent in parents:
            new.append(next(self.unused))
            self.cache.fork(old[parent], new[-1])
        for sequence in old:
            self.cache.free(sequence)
        self.sequences = new
        if not new:
            return torch.empty(0, self.model.config.vocabulary)
        size, counts = self.cache.block_size, self.cache.counts().tolist()
        wanted = 0
        for sequence in new:
            table = self.cache.table(sequence).tolist()
            if len(self.cache.tokens(sequence)) % size == 0:
                wanted += 1
            elif counts[table[-1]] > 1:
                counts[table[-1]] -= 1
                wanted += 1
        if wanted > self.cache.counts().tolist().count(0):
            return self.model.step(self.cache, new, [[token] for token in tokens])  # raises
        rows = [self.model.step(self.cache, [s], [[t]]) for s, t in zip(new, tokens)]
        return torch.cat(rows)

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
