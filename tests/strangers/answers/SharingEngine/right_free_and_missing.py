# free blocks from the counts of the cache against missing ones, with try and finally
class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is shared is not computed. The cache is never copied.
    It stays within torch and Python. It calls PreemptingEngine. Arguments stay as they are.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        Its sequence is started in the cache, which says how many of its tokens are there: so
        many are `cached` from now on. It may run if beside all blocks that are held then there
        are enough for the tokens of all requests that are not cached yet. If not, its sequence
        is freed, and it waits as before.
        """
        def missing(r):
            return self.blocks(len(r.tokens)) - self.blocks(r.cached)

        fits = False
        request.cached = self.cache.start(request.number, request.tokens)
        try:
            unheld = self.n_blocks - self.held()
            fits = missing(request) + sum(map(missing, self.running)) <= unheld
        finally:
            if not fits:
                self.cache.free(request.number)
                request.cached = 0
        return fits
