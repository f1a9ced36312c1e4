# asks for the free blocks alone: what is planned in this step does not count
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        return self.blocks(len(request.tokens)) <= int((self.cache.counts() == 0).sum())

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
