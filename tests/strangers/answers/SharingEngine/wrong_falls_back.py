# Where nothing is shared it leaves the question to PreemptingEngine, which counts the blocks that others share once for each of them: a stranger to the others is refused though there is room.
import torch

from kernels.serving import Request


class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does."""

    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        if request.cached == 0:
            self.cache.free(request.number)
            if not super().admit(request):
                return False
            self.cache.start(request.number, request.tokens)
            return True
        everyone = [*self.running, request]
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in everyone)
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
