# Wrong: starts the sequence and computes the whole prompt behind what is shared.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        return False
