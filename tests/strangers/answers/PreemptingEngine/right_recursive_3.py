# compute calls itself after a preemption, chunks are taken out from behind, the count of blocks goes down
class PreemptingEngine(Engine):
    def admit(self, request: Request) -> bool:
        free = self.n_blocks - self.blocks(len(request.tokens))
        for other in self.running:
            free -= self.blocks(len(other.tokens))
        return free >= 0

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        youngest = self.running[-1]
        del self.running[-1]
        for place in reversed(range(len(chunks))):
            if chunks[place][0] is youngest:
                chunks.pop(place)
        youngest.cached = 0
        self.waiting[:0] = [youngest]
        self.cache.free(youngest.number)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        try:
            return Engine.compute(self, chunks)
        except OutOfBlocks:
            self.preempt(chunks)
        return self.compute(chunks)
