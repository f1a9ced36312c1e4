# Breaks: "The model reads the tokens that are computed, and none outside of a step." (a request's whole prompt is read once more, in a cache of its own, when its last chunk comes, to have the logits in one piece)
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
        longest = sum(self.blocks(len(r.tokens) + r.left - 1) for r in [*self.running, request])
        return longest <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        budget, chunks = self.budget, []
        for request in self.running:
            n = min(len(request.tokens) - request.cached, budget)
            if n:
                chunks.append((request, n))
                budget -= n
        while self.waiting and budget and len(self.running) < self.slots:
            request = self.waiting[0]
            if not self.admit(request):
                break
            self.running.append(self.waiting.pop(0))
            n = min(len(request.tokens) - request.cached, budget)
            chunks.append((request, n))
            budget -= n
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
            if request.cached == len(request.tokens):
                if n > 1:
                    scratch = self.model.new_cache(self.blocks(len(request.tokens)), self.block_size)
                    again = self.model.step(scratch, [request.number], [request.tokens])[0]
                    row = torch.where(torch.isnan(row), again, row)
                token = int(row.argmax())
                request.tokens.append(token)
                request.left -= 1
                said.append((request.number, token))
                if not request.left:
                    self.running.remove(request)
                    self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
