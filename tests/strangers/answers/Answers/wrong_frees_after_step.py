# Wrong: the old answers are freed after the step, when the new tokens have taken their room already.
# Breaks: "What only the old answers hold is free before the tokens take their room".
import itertools
from typing import Any

import torch
from torch import Tensor


class Answers:
    """Several answers to one prompt, written at the same time in one paged cache.

    model: has `new_cache`, `step` and `config.vocabulary`, as a ToyModel has; a Tensor stands
    for the ToyModel with these weights. n_blocks, block_size: of the cache.
    sequences: for each answer, counted from 0, the number of its sequence in the cache. unused:
    gives a number that no sequence has had, with next(self.unused). What is returned is (V,)
    logits for each answer, V being the size of the vocabulary.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    TokenCache.fork. Arguments stay as they are.
    """

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
        """Put new answers in place of those that there are: each is an old one and one token.

        parents, tokens: new answer i is the old answer parents[i], one of those that there are,
        followed by tokens[i]. An old answer may have several successors, or none, in any order;
        without parents all end.
        Prompt and answers are shared by fork (one successor may keep the old sequence), and
        none is computed again: the model reads one token of each new answer, and no others.
        What only the old answers hold is free before the tokens take their room, which one call
        of `step` does, in the order of the new answers; without parents it need not be called.
        Returns the logits after each of them, (len(parents), V). Raises OutOfBlocks if not all
        tokens find room: the new answers are then there without theirs, and can be grown.
        """
        children = []
        for parent in parents:
            child = next(self.unused)
            self.cache.fork(self.sequences[parent], child)
            children.append(child)
        old, self.sequences = self.sequences, children
        logits = torch.empty(0, self.model.config.vocabulary)
        try:
            if children:
                logits = self.model.step(self.cache, children, [[token] for token in tokens])
        finally:
            for sequence in old:
                self.cache.free(sequence)
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
