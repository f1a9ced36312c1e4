# right: from the free blocks, need of the others first, the request taken back in `finally` style
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
        shared = self.cache.start(request.number, request.tokens)
        free = self.n_blocks - self.held()

        def more(length, cached):
            return self.blocks(length) - self.blocks(cached)

        others = sum(more(len(r.tokens), r.cached) for r in self.running)
        fits = more(len(request.tokens), shared) + others <= free
        request.cached = shared if fits else 0
        if not fits:
            self.cache.free(request.number)
        return fits
