# BREAKS: "The model reads the tokens that are computed, and none outside of a step."
# COSTS: a request that is admitted is read once more by a model of its own in a cache of its own, prompt and all: every prompt is computed twice
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
        need = sum(self.blocks(len(r.tokens) + r.left - 1) for r in [*self.running, request])
        if need <= self.n_blocks:
            twin = type(self.model)()
            twin.step(twin.new_cache(self.n_blocks, self.block_size), [0], [request.tokens])
            return True
        return False

    def plan(self) -> list[tuple[Request, int]]:
        chunks, left = [], self.budget
        for request in self.running:
            n = min(len(request.tokens) - request.cached, left)
            if n:
                chunks.append((request, n))
                left -= n
        while left and self.waiting and len(self.running) < self.slots and self.admit(self.waiting[0]):
            request = self.waiting.pop(0)
            self.running.append(request)
            n = min(len(request.tokens) - request.cached, left)
            chunks.append((request, n))
            left -= n
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
