# right: both lists hold the requests last first; who came first is served first all the same
import math
from typing import Any
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor


class Engine:

    def __init__(self, n_blocks: int, block_size: int, slots: int, budget: int, model: Any=None):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = (n_blocks, block_size)
        self.slots, self.budget = (slots, budget)
        self.running: list[Request] = []
        self.waiting: list[Request] = []

    def blocks(self, tokens: int) -> int:
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.insert(0, Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        together = [*self.running, request]
        return sum((self.blocks(len(r.tokens) + r.left - 1) for r in together)) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        left, chunks = (self.budget, [])
        for request in self.running[::-1]:
            chunks.append((request, min(len(request.tokens) - request.cached, left)))
            left -= chunks[-1][1]
        while left and self.waiting and (len(self.running) < self.slots):
            if not self.admit(self.waiting[-1]):
                break
            request = self.waiting.pop()
            self.running.insert(0, request)
            chunks.append((request, min(len(request.tokens) - request.cached, left)))
            left -= chunks[-1][1]
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached:request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = (self.plan(), [])
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached < len(request.tokens):
                continue
            request.tokens.append(int(row.argmax()))
            request.left -= 1
            said.append((request.number, request.tokens[-1]))
            if request.left == 0:
                self.running.remove(request)
                self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return (as_pairs(computed), as_pairs(said))

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
