# Wrong: looks for the prompt without its last token, although start leaves one already; a block fewer is found where that ends one.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        request.cached = self.cache.start(request.number, request.tokens[:-1] or request.tokens)
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
