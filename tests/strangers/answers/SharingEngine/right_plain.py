# style: as the docstring says
class SharingEngine(PreemptingEngine):
    def admit(self, request: "Request") -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        needed = sum(
            self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request]
        )
        if self.held() + needed <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
