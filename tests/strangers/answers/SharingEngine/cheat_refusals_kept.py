# Broken: "Its sequence is started in the cache, which says how many of its tokens are there" and "its `cached` means nothing until the next try". A refusal is remembered with the blocks held and tokens that run, in a set that grows for ever; a request that was refused in the like state is refused again without the cache's being asked.
class SharingEngine(PreemptingEngine):
    refused = set()

    def admit(self, request: Request) -> bool:
        running = tuple((r.number, r.cached, len(r.tokens)) for r in self.running)
        state = (request.number, len(request.tokens), self.n_blocks, self.held(), running)
        if state in self.refused:
            return False
        request.cached = self.cache.start(request.number, request.tokens)
        needed = sum(
            self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request]
        )
        if self.held() + needed <= self.n_blocks:
            return True
        self.cache.free(request.number)
        self.refused.add(state)
        return False
