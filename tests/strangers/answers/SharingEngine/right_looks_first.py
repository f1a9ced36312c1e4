# Counts first with the cached tokens of a start that is taken back at once, then starts again.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        found = self.cache.start(request.number, request.tokens)
        self.cache.free(request.number)
        more = self.blocks(len(request.tokens)) - found // self.block_size
        more += sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in self.running)
        if self.held() + more > self.n_blocks:
            return False
        request.cached = self.cache.start(request.number, request.tokens)
        return True
