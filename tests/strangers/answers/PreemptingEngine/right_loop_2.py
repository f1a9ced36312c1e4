# Right: recursion instead of a loop for the tries, slice assignment for the plan, sum of a generator.
from torch import Tensor


class PreemptingEngine(Engine):
    def admit(self, request: Request) -> bool:
        everybody = (*self.running, request)
        return sum(self.blocks(len(one.tokens)) for one in everybody) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        last = self.running.pop()
        chunks[:] = [(request, n) for request, n in chunks if request is not last]
        self.cache.free(last.number)
        last.cached = 0
        self.waiting.insert(0, last)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        try:
            return super().compute(chunks)
        except OutOfBlocks:
            self.preempt(chunks)
        return self.compute(chunks)
