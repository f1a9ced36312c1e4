# Breaks: "The cache is never copied whole." (before each step all blocks are copied, one after the other, into the same place)
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
    def __init__(self, n_blocks, block_size, slots, budget, model=None):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running: list[Request] = []
        self.waiting: list[Request] = []

    def blocks(self, tokens):
        return -(-tokens // self.block_size)

    def submit(self, number, prompt, new):
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request):
        longest = [self.blocks(len(r.tokens) + r.left - 1) for r in [*self.running, request]]
        return sum(longest) <= self.n_blocks

    def plan(self):
        chunks, left = [], self.budget
        for request in self.running:
            n = min(left, len(request.tokens) - request.cached)
            if n > 0:
                chunks.append((request, n))
                left -= n
        while left > 0 and self.waiting and len(self.running) < self.slots:
            request = self.waiting[0]
            if not self.admit(request):
                break
            self.running.append(self.waiting.pop(0))
            n = min(left, len(request.tokens) - request.cached)
            chunks.append((request, n))
            left -= n
        return chunks

    def compute(self, chunks):
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        for b in range(self.n_blocks):
            keys, values = self.cache.k[b].clone(), self.cache.v[b].clone()
            self.cache.k[b], self.cache.v[b] = keys, values
        return self.model.step(self.cache, sequences, tokens)

    def step(self):
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached == len(request.tokens):
                token = int(row.argmax())
                request.tokens.append(token)
                said.append((request.number, token))
                request.left -= 1
                if request.left == 0:
                    self.running.remove(request)
                    self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self):
        return int((self.cache.counts() > 0).sum())
