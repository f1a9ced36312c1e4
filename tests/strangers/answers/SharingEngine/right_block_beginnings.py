# counts the positions not cached at which a block begins, and takes them one by one from the free blocks
class SharingEngine(PreemptingEngine):
    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        free = self.n_blocks - self.held()
        for r in (*self.running, request):
            begins = range(r.cached, len(r.tokens))
            free -= sum(position % self.block_size == 0 for position in begins)
        if free < 0:
            request.cached = 0
            self.cache.free(request.number)
        return free >= 0
