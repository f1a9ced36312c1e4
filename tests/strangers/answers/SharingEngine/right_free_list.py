# Asks the allocator how many blocks are free.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        request.cached = self.cache.start(request.number, request.tokens)
        growing = [*self.running, request]
        wanted = sum(self.blocks(len(r.tokens)) for r in growing) - sum(self.blocks(r.cached) for r in growing)
        fits = wanted <= len(self.cache.allocator.free_list)
        if not fits:
            request.cached = 0
            self.cache.free(request.number)
        return fits
