# Right within its contract: the engine counts blocks itself and preempts before it asks the cache, so nobody ever tries and the cache is never found out of blocks: right only as long as its count is the cache's.
# Breaks: "As often as the cache is out of blocks, one request is preempted and the others try again."
class PreemptingEngine(Engine):
    def admit(self, request: Request) -> bool:
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens)) for r in together) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        request = self.running.pop()
        chunks[:] = [(r, n) for r, n in chunks if r is not request]
        self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            more = sum(self.blocks(r.cached + n) - self.blocks(r.cached) for r, n in chunks)
            if self.held() + more <= self.n_blocks:
                return super().compute(chunks)
            self.preempt(chunks)
