# the last of running is the last of the plan, since each that runs has a token in it: both are popped
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        tokens = [len(r.tokens) for r in [*self.running, request]]
        return sum(map(self.blocks, tokens)) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        request = self.running.pop()
        chunks.pop()
        if request.cached:
            self.cache.free(request.number)
            request.cached = 0
        self.waiting = [request] + self.waiting

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
