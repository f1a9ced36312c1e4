# Right: functional plan with a closure that spends the budget, walrus in the loop, sum of generators.
from typing import Any

import torch
from torch import Tensor


class Engine:
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
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        longest = lambda one: self.blocks(len(one.tokens) + one.left - 1)
        return longest(request) + sum(map(longest, self.running)) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        chunks: list[tuple[Request, int]] = []
        budget = self.budget

        def spend(request: Request) -> None:
            nonlocal budget
            if (n := min(len(request.tokens) - request.cached, budget)) > 0:
                chunks.append((request, n))
                budget -= n

        for request in self.running:
            spend(request)
        while self.waiting and budget > 0 and len(self.running) < self.slots:
            if not self.admit(request := self.waiting[0]):
                break
            self.running.append(self.waiting.pop(0))
            spend(request)
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def _say(self, request: Request, row: Tensor) -> tuple[int, int]:
        token = int(torch.argmax(row))
        request.tokens.append(token)
        request.left -= 1
        if request.left == 0:
            self.running = [other for other in self.running if other is not request]
            self.cache.free(request.number)
        return request.number, token

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached == len(request.tokens):
                said.append(self._say(request, row))
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
