# frees the sequence of a request that was admitted in this step and has none yet
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        tokens = [len(r.tokens) for r in [*self.running, request]]
        return sum(map(self.blocks, tokens)) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        request = self.running.pop()
        chunks[:] = [chunk for chunk in chunks if chunk[0] is not request]
        if True:
            self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
