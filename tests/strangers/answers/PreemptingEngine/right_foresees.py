# Blocks are counted beforehand, and requests preempted before the cache says that it is out of them.
import torch
from torch import Tensor

from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs


class PreemptingEngine(Engine):
    def admit(self, request: Request) -> bool:
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        request = self.running.pop()
        chunks[:] = [(r, n) for r, n in chunks if r is not request]
        self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            extra = sum(self.blocks(r.cached + n) - self.blocks(r.cached) for r, n in chunks)
            if extra <= self.n_blocks - self.held():
                return super().compute(chunks)
            self.preempt(chunks)
