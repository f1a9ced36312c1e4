# the free blocks are counted down, and one way out takes a sequence back
class SharingEngine(PreemptingEngine):
    def missing(self, request: Request) -> int:
        return self.blocks(len(request.tokens)) - self.blocks(request.cached)

    def admit(self, request: Request) -> bool:
        before = request.cached
        request.cached = int(self.cache.start(request.number, request.tokens))
        free = self.n_blocks - self.held() - self.missing(request)
        for other in self.running:
            if free < 0:
                break
            free -= self.missing(other)
        if free < 0:
            self.cache.free(request.number)
            request.cached = before
            return False
        return True
