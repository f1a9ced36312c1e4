# WRONG: a request that may not run keeps its mark: `cached` is not 0 though its sequence was freed ("it waits as before")
class SharingEngine(PreemptingEngine):
    def admit(self, request: "Request") -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        needed = sum(
            self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request]
        )
        if self.held() + needed <= self.n_blocks:
            return True
        self.cache.free(request.number)
        return False
