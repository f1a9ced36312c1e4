# Right within its contract: nobody tries: who has to go is counted beforehand, from lengths
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
    def admit(self, request: Request) -> bool:
        now = sum(self.blocks(len(r.tokens)) for r in [*self.running, request])
        return now <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        request = self.running.pop()
        chunks[:] = [(other, n) for other, n in chunks if other is not request]
        self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        def wanted():
            return sum(
                self.blocks(r.cached + n) - self.blocks(r.cached) for r, n in chunks
            )

        while wanted() > self.n_blocks - self.held():
            self.preempt(chunks)
        return super().compute(chunks)
