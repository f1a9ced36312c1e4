# right: counts the free blocks from the cache's counts and compares; missing blocks by a helper
class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does."""

    def missing(self, request: Request) -> int:
        there, all_of_it = request.cached, len(request.tokens)
        return self.blocks(all_of_it) - self.blocks(there)

    def admit(self, request: Request) -> bool:
        shared = self.cache.start(request.number, request.tokens)
        request.cached = int(shared)
        free = int((self.cache.counts() == 0).sum())
        fits = sum(map(self.missing, self.running), self.missing(request)) <= free
        if not fits:
            request.cached = 0
            self.cache.free(request.number)
        return fits
