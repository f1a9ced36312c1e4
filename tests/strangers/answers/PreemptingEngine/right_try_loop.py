# style: while True with try/except, slice assignment
import math
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.memory_hierarchy import roofline_time
from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs

device = "cuda" if torch.cuda.is_available() else "cpu"


class PreemptingEngine(Engine):
    """An engine that takes more requests than could all grow to their end.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is preempted was not computed. The cache is never copied
    whole, at once or in pieces.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    Engine. Arguments stay as they are.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for the tokens that all of them have now.
        """
        everybody = [*self.running, request]
        return sum(map(self.blocks, (len(one.tokens) for one in everybody))) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`.

        Its sequence, which the cache has, is freed, and nothing of it is cached. It waits,
        before all others, keeps what it has said, and will be admitted as if all its tokens
        were a prompt.
        """
        victim = self.running.pop()
        chunks[:] = [chunk for chunk in chunks if chunk[0] is not victim]
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary).

        As often as the cache is out of blocks, one request is preempted and the others try
        again. What was planned for them stays as it is.
        """
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
