# Wrong: admits as soon as there are blocks for the first chunk.
class PreemptingEngine(Engine):
    def admit(self, request):
        used = sum(self.blocks(r.cached) for r in self.running)
        return used + self.blocks(min(len(request.tokens), self.budget)) <= self.n_blocks

    def preempt(self, chunks):
        victim, _ = chunks.pop()
        self.running.remove(victim)
        if victim.cached:
            self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks):
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
