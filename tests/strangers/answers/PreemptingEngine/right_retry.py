# except in a while True; the victim leaves the list in place, by identity
class PreemptingEngine(Engine):
    def admit(self, request: Request) -> bool:
        together = [*self.running, request]
        return sum(self.blocks(len(each.tokens)) for each in together) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        victim = self.running.pop()
        chunks[:] = [chunk for chunk in chunks if chunk[0] is not victim]
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
