# Right: a contextlib.suppress loop for the retries, list comprehension with slice assignment to edit `chunks` in place
from contextlib import suppress

from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request
from torch import Tensor


class PreemptingEngine(Engine):
    """An engine that takes more requests than could all grow to their end."""

    def admit(self, request: Request) -> bool:
        everybody = [*self.running, request]
        return sum(self.blocks(len(r.tokens)) for r in everybody) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        victim = self.running.pop()
        chunks[:] = [(request, n) for request, n in chunks if request is not victim]
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            with suppress(OutOfBlocks):
                return super().compute(chunks)
            self.preempt(chunks)
