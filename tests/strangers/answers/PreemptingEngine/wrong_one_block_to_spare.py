# Wrong: keeps a block free for growth, so that requests wait that would fit.
class PreemptingEngine(Engine):
    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) + 1 <= self.n_blocks

    def preempt(self, chunks):
        victim, _ = chunks.pop()
        self.running.remove(victim)
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks):
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
