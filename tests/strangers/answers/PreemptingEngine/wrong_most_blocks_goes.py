# Wrong: the request with most blocks is preempted, which may be the oldest.
class PreemptingEngine(Engine):
    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks):
        pair = max(chunks, key=lambda c: c[0].cached)
        chunks.remove(pair)
        victim = pair[0]
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
