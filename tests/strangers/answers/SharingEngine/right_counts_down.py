# right: free blocks are counted down request by request, with a helper for the blocks that one still needs
class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does."""

    def missing(self, request: Request) -> int:
        """Blocks that a request needs beyond those of its cached tokens."""
        return self.blocks(len(request.tokens)) - self.blocks(request.cached)

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do."""
        request.cached = int(self.cache.start(request.number, request.tokens))
        free = self.n_blocks - self.held() - self.missing(request)
        for other in self.running:
            free -= self.missing(other)
        if free < 0:
            self.cache.free(request.number)
            request.cached = 0
            return False
        return True
