# asks the cache whether the sequence is there, deletes from the plan by its index
class PreemptingEngine(Engine):

    def admit(self, request: Request) -> bool:
        free = self.n_blocks
        for other in self.running:
            free -= self.blocks(len(other.tokens))
        return free >= self.blocks(len(request.tokens))

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        youngest = self.running[-1]
        del self.running[-1]
        for i in reversed(range(len(chunks))):
            if chunks[i][0] == youngest:
                del chunks[i]
        try:
            self.cache.free(youngest.number)
        except KeyError:
            pass  # admitted in this step: it has no sequence yet
        youngest.cached = 0
        self.waiting[:0] = [youngest]

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        logits = None
        while logits is None:
            try:
                logits = self.model.step(
                    self.cache,
                    [r.number for r, _ in chunks],
                    [r.tokens[r.cached : r.cached + n] for r, n in chunks],
                )
            except OutOfBlocks:
                self.preempt(chunks)
        return logits
