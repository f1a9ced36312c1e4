# counts what is held before the sequence is started: sharing adds nothing to it
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        held = int(torch.count_nonzero(self.cache.counts()))
        wanted = 0
        for r in self.running:
            wanted += self.blocks(len(r.tokens)) - self.blocks(r.cached)
        cached = self.cache.start(request.number, request.tokens)
        wanted += self.blocks(len(request.tokens) - cached)
        fits = held + wanted <= self.n_blocks
        if fits:
            request.cached = cached
        else:
            self.cache.free(request.number)
        return fits
