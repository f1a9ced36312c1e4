# Keeps a count of reserved blocks; what it gives back at the end is rounded from one token more than what it took (the last one, never read), so where prompt + new - 1 is a multiple of block_size the count falls too low, and later too many are admitted: with n_blocks 4, block_size 4, requests of 3 + 2 tokens first and then several long ones.
from typing import Any

import torch
from torch import Tensor

from kernels.paged_cache import OutOfBlocks
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
        self.reserved = 0

    def blocks(self, tokens: int) -> int:
        """How many blocks so many tokens of a sequence fill."""
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        need = self.blocks(len(request.tokens) + request.left - 1)
        if self.reserved + need > self.n_blocks:
            return False
        self.reserved += need
        return True

    def plan(self) -> list[tuple[Request, int]]:
        chunks, left = [], self.budget
        for request in self.running:
            n = min(left, len(request.tokens) - request.cached)
            if n > 0:
                chunks.append((request, n))
                left -= n
        while left > 0 and self.waiting and len(self.running) < self.slots:
            if not self.admit(self.waiting[0]):
                break
            request = self.waiting.pop(0)
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
                self.reserved -= self.blocks(len(request.tokens))
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())
