# No batching: the model steps once for every request, where one step computes all that is planned; how many tokens the model reads is counted, and not how often it is called.
from typing import Any

import torch
from torch import Tensor

from kernels.serving import Request, TooLong, ToyModel, as_pairs


class Engine:
    def __init__(self, n_blocks: int, block_size: int, slots: int, budget: int, model: Any = None):
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
        everyone = [*self.running, request]
        return sum(self.blocks(len(r.tokens) + r.left - 1) for r in everyone) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        chunks, budget = [], self.budget
        for request in self.running:
            n = min(len(request.tokens) - request.cached, budget)
            if n > 0:
                chunks.append((request, n))
                budget -= n
        while budget > 0 and self.waiting and len(self.running) < self.slots and self.admit(self.waiting[0]):
            request = self.waiting.pop(0)
            self.running.append(request)
            n = min(len(request.tokens) - request.cached, budget)
            chunks.append((request, n))
            budget -= n
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        rows = []
        for request, n in chunks:  # one after the other, the others wait
            tokens = request.tokens[request.cached : request.cached + n]
            rows.append(self.model.step(self.cache, [request.number], [tokens])[0])
        return torch.stack(rows)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached == len(request.tokens):
                token = int(row.argmax())
                said.append((request.number, token))
                request.tokens.append(token)
                request.left -= 1
                if request.left == 0:
                    self.running.remove(request)
                    self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
