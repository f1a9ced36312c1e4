# a request that may not run is freed, and its mark stays where the sharing had put it
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        return False
