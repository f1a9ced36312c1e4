# starts, always frees, and starts a second time if it may run; breaks "Its sequence is started in the cache ... If not, its sequence is freed" (freed in every case)
from kernels.serving import Request, TooLong, ToyModel, as_pairs


class SharingEngine(PreemptingEngine):
    def admit(self, request: Request) -> bool:
        cached = self.cache.start(request.number, request.tokens)
        held = self.held()
        self.cache.free(request.number)
        more = self.blocks(len(request.tokens)) - self.blocks(cached)
        more += sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in self.running)
        if held + more > self.n_blocks:
            return False
        request.cached = self.cache.start(request.number, request.tokens)
        return True
