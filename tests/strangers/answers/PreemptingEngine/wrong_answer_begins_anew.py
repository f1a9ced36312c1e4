# Wrong: the victim keeps its prompt only and says its answer again from the beginning.
class PreemptingEngine(Engine):
    def submit(self, number, prompt, new):
        super().submit(number, prompt, new)
        self.waiting[-1].prompt, self.waiting[-1].new = list(prompt), new

    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks):
        victim, _ = chunks.pop()
        self.running.remove(victim)
        self.cache.free(victim.number)
        victim.tokens, victim.left, victim.cached = list(victim.prompt), victim.new, 0
        self.waiting.insert(0, victim)

    def compute(self, chunks):
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
