# Wrong: a request that does not fit stays started, and holds its blocks while it waits.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        if request.number not in self.cache.tables:
            request.cached = self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        return self.held() + more <= self.n_blocks
