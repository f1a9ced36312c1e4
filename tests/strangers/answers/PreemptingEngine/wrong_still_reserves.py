# Wrong: admits as the careful engine does, and never has to preempt.
class PreemptingEngine(Engine):
    def admit(self, request):
        return super().admit(request)

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
