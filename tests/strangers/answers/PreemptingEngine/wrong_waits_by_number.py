# what is preempted waits among the others in the order of the numbers
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens)) for r in together) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        chunks.pop()
        request = self.running.pop()
        self.cache.free(request.number)
        request.cached = 0
        self.waiting.append(request)
        self.waiting.sort(key=lambda r: r.number)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
