# Wrong: the blocks are freed, but cached stays, so that only the last token is computed when it comes back.
class PreemptingEngine(Engine):
    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks):
        victim, _ = chunks.pop()
        self.running.remove(victim)
        self.cache.free(victim.number)
        self.waiting.insert(0, victim)

    def compute(self, chunks):
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
