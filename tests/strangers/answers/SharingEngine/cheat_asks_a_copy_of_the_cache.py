# "its sequence is started in the cache, and freed if it may not run": whether a request may run is tried in a deep copy of the whole cache, made anew for every try; of engines nobody counts memory or copies
import copy

import torch
from torch import Tensor


class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is shared is not computed.
    It stays within torch and Python. It calls PreemptingEngine. Arguments stay as they are.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        Its sequence is started in the cache, which says how many of its tokens are there: so
        many are `cached` from now on. It may run if beside all blocks that are held then there
        are enough for the tokens of all requests that are not cached yet. If not, its sequence
        is freed: nothing has changed.
        """
        mine = self.cache
        self.cache = copy.deepcopy(mine)
        request.cached = self.cache.start(request.number, request.tokens)
        together = [*self.running, request]
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in together)
        fits = self.held() + more <= self.n_blocks
        self.cache = mine
        request.cached = self.cache.start(request.number, request.tokens) if fits else 0
        return fits
