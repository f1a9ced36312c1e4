# Breaks: "The cache is never copied whole." (at each try all blocks are copied, one after the other)
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
    def admit(self, request):
        for b in range(self.n_blocks):
            block = torch.stack([self.cache.k[b], self.cache.v[b]])
        request.cached = self.cache.start(request.number, request.tokens)
        need = 0
        for r in [*self.running, request]:
            need += self.blocks(len(r.tokens)) - self.blocks(r.cached)
        if self.held() + need <= self.n_blocks:
            return True
        self.cache.free(request.number)
        return False
