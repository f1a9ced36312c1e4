# frees what may not run, and again before the next try
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        if request.number in self.cache.tables:
            self.cache.free(request.number)
        request.cached = self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        return self.held() + more <= self.n_blocks
