# marks the whole prompt as cached if all of its full blocks are: no token is left to compute
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        if request.cached + self.block_size == len(request.tokens):
            request.cached = len(request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
