# tries again by recursion; rooms as a difference; the last chunk is deleted where it stands
class PreemptingEngine(Engine):
    def admit(self, request: Request) -> bool:
        room = self.n_blocks - self.blocks(len(request.tokens))
        for other in self.running:
            room -= self.blocks(len(other.tokens))
        return room >= 0

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        *self.running, last = self.running
        for place in reversed(range(len(chunks))):
            if chunks[place][0] is last:
                del chunks[place]
        last.cached = 0
        self.cache.free(last.number)
        self.waiting = [last] + self.waiting

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        try:
            return Engine.compute(self, chunks)
        except OutOfBlocks:
            self.preempt(chunks)
            return self.compute(chunks)
