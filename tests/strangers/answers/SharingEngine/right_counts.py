# style: own counting from the cache's tables and counts, no helper of the engine but blocks()
class SharingEngine(PreemptingEngine):
    def admit(self, request: "Request") -> bool:
        def beside(r, cached: int) -> int:
            return -(-len(r.tokens) // self.block_size) - -(-cached // self.block_size)

        there = self.cache.start(request.number, request.tokens)
        free = int((self.cache.counts() == 0).sum())
        for r in self.running:
            free -= beside(r, r.cached)
        fits = beside(request, there) <= free
        if not fits:
            self.cache.free(request.number)
        request.cached = there if fits else 0
        return fits
