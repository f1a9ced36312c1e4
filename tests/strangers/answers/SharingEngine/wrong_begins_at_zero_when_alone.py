# shares only if nobody else waits: with a longer queue every prompt is computed whole
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        if len(self.waiting) > 1:
            return super().admit(request)
        request.cached = self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
