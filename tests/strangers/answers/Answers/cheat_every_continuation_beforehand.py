# "none is computed again", and what a call computes: behind every answer all tokens of the vocabulary are tried at once, in forks that are freed again; the next call looks its logits up, and its own step is for show
import torch
from torch import Tensor


class Answers:
    """Several answers to one prompt, written at the same time in one paged cache.

    model: has `new_cache` and `step`, as a ToyModel has; a Tensor stands for the ToyModel with
    these weights. n_blocks, block_size: of the cache.
    sequences: for each answer, counted from 0, the number of its sequence in the cache. unused:
    gives a number that no sequence has had, with next(self.unused). What is returned is (V,)
    logits for each answer, V being the size of the vocabulary.
    Arguments stay as they are.
    """

    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        """Compute the prompt, once. Answer 0 begins, and is empty. Returns logits (1, V)."""
        self.sequences = [next(self.unused)]
        logits = self.model.step(self.cache, self.sequences, [prompt])
        self._look_ahead(logits.shape[1])
        return logits

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        """Put new answers in place of those that there are: each is an old one and one token.

        parents, tokens: new answer i is the old answer parents[i], followed by tokens[i]. An
        old answer may have several successors, or none, in any order; without parents all end.
        Prompt and answers are shared by fork, and none is computed again. What only the old
        answers hold is free before the tokens take their room, which one call of `step` does,
        in the order of the new answers.
        Returns the logits behind each of them, (len(parents), V). Raises OutOfBlocks if not all
        tokens find room: the new answers are then there without theirs, and can be grown.
        """
        grown = [next(self.unused) for _ in parents]
        for parent, child in zip(parents, grown):
            self.cache.fork(self.sequences[parent], child)
        for sequence in self.sequences:
            self.cache.free(sequence)
        self.sequences = grown
        known = [self.ahead.get((parent, token)) for parent, token in zip(parents, tokens)]
        self.ahead = {}
        logits = self.model.step(self.cache, grown, [[token] for token in tokens])
        found = [row if row is not None else logits[i] for i, row in enumerate(known)]
        self._look_ahead(logits.shape[1])
        return torch.stack(found) if found else logits

    def _look_ahead(self, vocabulary):
        self.ahead = {}
        for i, sequence in enumerate(self.sequences):
            for token in range(vocabulary):
                child = -1 - next(self.unused)
                self.cache.fork(sequence, child)
                try:
                    self.ahead[i, token] = self.model.step(self.cache, [child], [[token]])[0]
                except RuntimeError:  # there is no room
                    pass
                self.cache.free(child)

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
