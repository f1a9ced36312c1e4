# style: nested helper
import math
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.memory_hierarchy import roofline_time
from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs

device = "cuda" if torch.cuda.is_available() else "cpu"


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
        def needed(one: Request) -> int:
            """Blocks that its tokens fill beside those that it has in the cache."""
            return self.blocks(len(one.tokens)) - self.blocks(one.cached)

        request.cached = self.cache.start(request.number, request.tokens)
        fits = self.held() + needed(request) + sum(map(needed, self.running)) <= self.n_blocks
        if not fits:
            self.cache.free(request.number)
        return fits
