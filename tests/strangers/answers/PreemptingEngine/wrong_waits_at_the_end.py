# Wrong: the victim waits behind all others.
class PreemptingEngine(Engine):
    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks):
        victim, _ = chunks.pop()
        self.running.remove(victim)
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.append(victim)

    def compute(self, chunks):
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
