# style: generator sums, star unpacking, walrus
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


class Engine:
    """Requests that come and go while others are served: continuous batching.

    n_blocks, block_size: of the cache. slots: how many requests may run at a time. budget: how
    many tokens a step may compute, at least `slots`. model: what is served, the toy if None.
    running, waiting: the requests (`kernels.serving.Request`). Who came first is served first.
    The cache is never copied whole, at once or in pieces. submit and step are called from
    outside; a step returns two tensors (n, 2) int64, what was computed and what was said.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    ToyModel. Arguments stay as they are.
    """

    def __init__(
        self, n_blocks: int, block_size: int, slots: int, budget: int, model: Any = None
    ):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running: list[Request] = []
        self.waiting: list[Request] = []

    def blocks(self, tokens: int) -> int:
        """How many blocks so many tokens of a sequence fill."""
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        """A request comes, and waits. It is to say `new` tokens, at least one.

        Raises TooLong if it could not be served even alone. The last token that it says is
        never read, and takes no room.
        """
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for all of them at their longest, so that none runs out.
        """
        longest = sum(
            self.blocks(len(one.tokens) + one.left - 1) for one in (*self.running, request)
        )
        return longest <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        """Who computes how many tokens in this step, together at most `budget`.

        First those that run, in the order in which they came: each as many as it has beyond its
        cached ones, or what is left of the budget. Then, as long as budget and slots are left,
        the first that waits is admitted, and gets its share likewise; if it may not run, none
        behind it does. Returns (request, number of tokens) pairs.
        """
        chunks: list[tuple[Request, int]] = []
        left = self.budget
        for request in self.running:
            if n := min(left, len(request.tokens) - request.cached):
                chunks.append((request, n))
                left -= n
        while left > 0 and self.waiting and len(self.running) < self.slots:
            request, *behind = self.waiting
            if not self.admit(request):
                break
            self.waiting = behind
            self.running.append(request)
            n = min(left, len(request.tokens) - request.cached)
            chunks.append((request, n))
            left -= n
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary)."""
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        """Plan a step, compute it, and note what came of it.

        A request whose tokens are all in the cache says its next one, the most likely. If that
        was its last one, it runs no more, and its sequence is freed. The model reads the tokens
        that are computed, and none outside of a step.
        Returns what was computed, (chunks, 2) int64, number and tokens, at least one, of each
        request in the order of the plan; and what was said, (tokens, 2) int64, number and token
        in that order.
        """
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached < len(request.tokens):
                continue
            token = int(row.argmax())
            request.tokens.append(token)
            request.left -= 1
            said.append((request.number, token))
            if request.left == 0:
                self.running.remove(request)
                self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())
