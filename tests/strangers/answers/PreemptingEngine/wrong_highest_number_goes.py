# who has the highest number is preempted, whenever it came
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens)) for r in together) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        i = max(range(len(self.running)), key=lambda i: self.running[i].number)
        chunks.pop(i)
        request = self.running.pop(i)
        self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
