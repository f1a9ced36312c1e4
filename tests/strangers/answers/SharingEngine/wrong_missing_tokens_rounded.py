# Wrong: rounds the missing tokens up to blocks, and so counts a block for every decoding request.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        request.cached = self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens) - r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
