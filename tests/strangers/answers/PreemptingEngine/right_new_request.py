# The victim waits as a new Request object with all its tokens as the prompt.
class PreemptingEngine(Engine):
    def admit(self, request):
        return sum(self.blocks(len(r.tokens)) for r in [*self.running, request]) <= self.n_blocks

    def preempt(self, chunks):
        old, _ = chunks.pop()
        assert self.running.pop() is old
        self.cache.free(old.number)
        self.waiting.insert(0, Request(old.number, list(old.tokens), old.left))

    def compute(self, chunks):
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
