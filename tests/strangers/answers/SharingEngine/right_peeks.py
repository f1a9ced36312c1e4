# Right within its contract: what a prompt shares is looked up in the cache's own dictionary of names, without starting the sequence; it is started only once it is sure to run. It goes round the way that the cache offers, and depends on its insides.
# Breaks: "Its sequence is started in the cache, which says how many of its tokens are there ... If not, its sequence is freed".
class SharingEngine(PreemptingEngine):
    def admit(self, request: Request) -> bool:
        cache, size, name, shared = self.cache, self.block_size, 0, 0
        while shared + size < len(request.tokens):
            name = cache.block_name(name, request.tokens[shared : shared + size])
            if name not in cache.known:
                break
            shared += size
        need = self.blocks(len(request.tokens)) - shared // size
        need += sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in self.running)
        if self.held() + need > self.n_blocks:
            return False
        request.cached = cache.start(request.number, request.tokens)
        return True
