# A sequence is started, freed, and started again if it may run.
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
