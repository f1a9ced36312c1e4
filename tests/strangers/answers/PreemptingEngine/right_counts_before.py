# Counts the blocks that the step takes and preempts until they suffice, so that no error is ever raised.
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
        def after():
            return sum(self.blocks(r.cached + n) for r, n in chunks)

        while after() > self.n_blocks:
            self.preempt(chunks)
        return super().compute(chunks)
