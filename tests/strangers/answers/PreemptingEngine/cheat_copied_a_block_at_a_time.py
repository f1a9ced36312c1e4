# Breaks: "The cache is never copied whole." (before each try all blocks are copied, one after the other)
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


class PreemptingEngine(Engine):
    def admit(self, request):
        now = [self.blocks(len(r.tokens)) for r in [*self.running, request]]
        return sum(now) <= self.n_blocks

    def preempt(self, chunks):
        request = self.running.pop()
        chunks[:] = [pair for pair in chunks if pair[0] is not request]
        if request.number in self.cache.tables:
            self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks):
        while True:
            for b in range(self.n_blocks):
                block = torch.stack([self.cache.k[b], self.cache.v[b]])
                self.last = block[0, 0, 0, 0]
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
