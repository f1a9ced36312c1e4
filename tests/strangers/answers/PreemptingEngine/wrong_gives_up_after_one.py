# Wrong: one preemption per step, then the error comes through.
class PreemptingEngine(Engine):
    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks):
        victim, _ = chunks.pop()
        self.running.remove(victim)
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks):
        try:
            return super().compute(chunks)
        except OutOfBlocks:
            self.preempt(chunks)
            return super().compute(chunks)
