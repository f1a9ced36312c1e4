# Wrong: looks at the new request alone, and forgets that the others may begin a block in this step.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        request.cached = self.cache.start(request.number, request.tokens)
        if self.held() + self.blocks(len(request.tokens)) - self.blocks(request.cached) <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
