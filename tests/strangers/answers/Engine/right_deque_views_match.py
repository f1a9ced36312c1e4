# Right: helper properties and a nested generator in plan, sum over chain, int(argmax), early continue in the step's loop
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from kernels.serving import Request, TooLong, ToyModel, as_pairs


class Engine:
    """Requests that come and go while others are served: continuous batching."""

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
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def longest(self, request: Request) -> int:
        """Blocks of a request when its last token is said."""
        return self.blocks(len(request.tokens) + request.left - 1)

    def admit(self, request: Request) -> bool:
        return sum(map(self.longest, chain(self.running, [request]))) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        chunks, budget = [], self.budget

        def share(request: Request) -> int:
            n = min(len(request.tokens) - request.cached, budget)
            if n > 0:
                chunks.append((request, n))
            return n

        for request in self.running:
            budget -= share(request)
        while budget > 0 and self.waiting and len(self.running) < self.slots:
            head = self.waiting[0]
            if not self.admit(head):
                break
            self.running.append(self.waiting.pop(0))
            budget -= share(head)
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached < len(request.tokens):
                continue  # still in its prompt
            token = int(torch.argmax(row))
            request.tokens.append(token)
            said.append((request.number, token))
            request.left -= 1
            if not request.left:
                self.running.remove(request)
                self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())
