# a helper for the blocks that a request still lacks
class SharingEngine(PreemptingEngine):
    def _missing(self, request: Request) -> int:
        return self.blocks(len(request.tokens)) - self.blocks(request.cached)

    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        missing = sum(self._missing(each) for each in (*self.running, request))
        if fits := self.held() + missing <= self.n_blocks:
            return fits
        self.cache.free(request.number)
        return False
