# Right within its contract: the names of its blocks are looked up beforehand, and a sequence that has no room is never started
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
    def admit(self, request: Request) -> bool:
        cache, size, tokens = self.cache, self.block_size, request.tokens
        name, shared = 0, 0
        while (shared + 1) * size < len(tokens):
            name = cache.block_name(name, tokens[shared * size : (shared + 1) * size])
            if name not in cache.known:
                break
            shared += 1
        wanted = self.blocks(len(tokens)) - shared
        wanted += sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in self.running)
        if self.held() + wanted > self.n_blocks:
            return False
        request.cached = cache.start(request.number, tokens)
        return True
