# compute calls itself after each preemption; the victim is found by its place in the lists.
class PreemptingEngine(Engine):
    def admit(self, request):
        needed = self.blocks(len(request.tokens))
        for other in self.running:
            needed += self.blocks(len(other.tokens))
        return needed <= self.n_blocks

    def preempt(self, chunks):
        victim = self.running[-1]
        del self.running[-1], chunks[-1]
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting = [victim] + self.waiting

    def compute(self, chunks):
        try:
            return super().compute(chunks)
        except OutOfBlocks:
            pass
        self.preempt(chunks)
        return self.compute(chunks)
