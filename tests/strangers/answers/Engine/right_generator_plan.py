# Plan asks a nested generator for one request after the other and admits lazily, while budget is left.
import math
from typing import Any

import torch
from torch import Tensor

from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs


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
        longest = (len(r.tokens) + r.left - 1 for r in (*self.running, request))
        return sum(map(self.blocks, longest)) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        def candidates():
            yield from list(self.running)
            while self.waiting and len(self.running) < self.slots and self.admit(self.waiting[0]):
                self.running.append(self.waiting.pop(0))
                yield self.running[-1]

        chunks, left = [], self.budget
        for request in candidates():
            if n := min(len(request.tokens) - request.cached, left):
                chunks.append((request, n))
                left -= n
            if not left:
                break
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
                continue
            token = int(row.argmax())
            said.append((request.number, token))
            request.tokens.append(token)
            request.left -= 1
            if not request.left:
                self.running = [other for other in self.running if other is not request]
                self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
