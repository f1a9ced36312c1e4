# what those that run need more is not counted: their next token may begin a block in this step
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
