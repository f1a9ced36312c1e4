# blocks: out of blocks, the cache gets a longer pool in place of a preemption
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        tokens = [len(r.tokens) for r in [*self.running, request]]
        return sum(map(self.blocks, tokens)) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        request = self.running.pop()
        chunks[:] = [chunk for chunk in chunks if chunk[0] is not request]
        if request.cached > 0:
            self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                old = self.cache
                self.cache = self.model.new_cache(2 * self.n_blocks, self.block_size)
                for request in self.running:
                    if request.cached:
                        self.model.step(self.cache, [request.number], [request.tokens[: request.cached]])
