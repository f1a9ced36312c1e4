# Breaks: "the model reads one token of each new answer, and no others" (after each step the last token is read once more, in a scratch cache)
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
        logits = self.model.step(self.cache, new, [[token] for token in tokens])
        scratch = self.model.new_cache(2 + len(tokens), self.cache.block_size)
        self.warm = self.model.step(scratch, [0], [tokens[-1:]]).shape  # the graph's next size
        return logits

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
