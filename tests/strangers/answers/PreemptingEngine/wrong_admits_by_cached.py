# counts the tokens in the cache in place of those that are there: a prompt in chunks takes no room
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        tokens = [r.cached for r in self.running] + [len(request.tokens)]
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
                self.preempt(chunks)
