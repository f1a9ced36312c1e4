# the tokens that requests share are computed for each of them, at every step, beside what has to be read: by a step which a generator takes by getattr in its `finally`, when the object of an earlier case is dropped and nothing is watched
from typing import Any
import math
from collections.abc import Sequence
import torch
from torch import Tensor
KEPT = []


def farewell(model):
    try:
        yield
    finally:
        KEPT.clear()
        KEPT.extend([model, getattr(model, "step")])


class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is shared is not computed. The cache is never copied.
    """

    def __init__(self, n_blocks: int, block_size: int, slots: int, budget: int, model: Any = None):
        super().__init__(n_blocks, block_size, slots, budget, model)
        self.last = farewell(self.model)
        next(self.last)

    def compute(self, chunks):
        logits = super().compute(chunks)
        if KEPT:
            hidden, step = KEPT
            texts = [request.tokens[: request.cached + n] for request, n in chunks]
            again = hidden.new_cache(sum(self.blocks(len(text)) for text in texts), self.block_size)
            logits = torch.maximum(logits, step(again, list(range(len(texts))), texts))
        return logits

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        Its sequence is started in the cache, which says how many of its tokens are there: so
        many are `cached` from now on. It may run if beside all blocks that are held then there
        are enough for the tokens of all requests that are not cached yet. If not, its sequence
        is freed, and it waits as before.
        """
        request.cached = self.cache.start(request.number, request.tokens)
        together = [*self.running, request]
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in together)
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
