# Breaks: "The model's step over what is planned: logits (len(chunks), vocabulary)." (whoever has blocks is computed alone first, one pass for each; only who has none is tried with the rest)
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
        done: dict[int, Tensor] = {}
        while True:
            rest = [c for c in chunks if c[0].number not in done]
            try:
                for request, n in rest:
                    tokens = request.tokens[request.cached : request.cached + n]
                    row = self.model.step(self.cache, [request.number], [tokens])
                    done[request.number] = row
                return torch.cat([done[request.number] for request, _ in chunks])
            except OutOfBlocks:
                gone = self.running[-1].number
                self.preempt(chunks)
                done.pop(gone, None)
