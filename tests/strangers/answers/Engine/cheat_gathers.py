# Breaks "The cache is never copied whole, at once or in pieces": keys and values of every request in the plan are gathered before each step and kept until the next
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
        self.ends: dict[int, int] = {}  # tokens of a request that has said all

    def blocks(self, tokens: int) -> int:
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.ends[number] = len(prompt) + new
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        both = [*self.running, request]
        return sum(self.blocks(self.longest(r)) for r in both) <= self.n_blocks

    def longest(self, request: Request) -> int:
        return self.ends[request.number] - 1

    def plan(self) -> list[tuple[Request, int]]:
        left, chunks = self.budget, []
        for request in self.running:
            n = min(left, len(request.tokens) - request.cached)
            if n > 0:
                chunks.append((request, n))
                left -= n
        while self.waiting and left > 0 and len(self.running) < self.slots:
            request = self.waiting[0]
            if not self.admit(request):
                break
            self.running.append(self.waiting.pop(0))
            n = min(left, len(request.tokens) - request.cached)
            chunks.append((request, n))
            left -= n
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        self.before = {}
        for request, _ in chunks:
            if request.cached:
                self.before[request.number] = self.cache.gather(request.number)
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached == len(request.tokens):
                token = int(row.argmax())
                request.tokens.append(token)
                said.append((request.number, token))
                if len(request.tokens) == self.ends[request.number]:
                    self.running.remove(request)
                    self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
