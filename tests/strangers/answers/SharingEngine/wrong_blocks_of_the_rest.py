# Wrong: counts blocks for the tokens that are not cached as if they began in a new block.
# Breaks: "enough for the tokens not cached yet of this request and of all that run": they first fill the block that is begun.


class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is shared is not computed. The cache is never copied whole,
    at once or in pieces.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    PreemptingEngine. Arguments stay as they are.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        Its sequence is started in the cache, which says how many of its tokens are there: so
        many are `cached` from now on. It may run if beside all blocks that are held then there
        are enough for the tokens not cached yet of this request and of all that run. If not,
        its sequence is freed, and it waits as before; its `cached` means nothing until the next
        try.
        """
        request.cached = self.cache.start(request.number, request.tokens)
        needed = sum(self.blocks(len(r.tokens) - r.cached) for r in [*self.running, request])
        if self.held() + needed <= self.n_blocks:
            return True
        self.cache.free(request.number)
        return False
