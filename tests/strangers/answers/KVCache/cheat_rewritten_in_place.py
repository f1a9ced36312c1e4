# Every append writes all tokens that are kept once more, in place, which allocates nothing: work that grows with the sequence.
import math

import torch
from torch import Tensor



class KVCache:
    def __init__(self, batch, heads, capacity, d):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k, v):
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull
        for old, new in ((self.k, k), (self.v, v)):
            old[:, :, : self.length].add_(0.0)
            old[:, :, self.length : end] = new
        self.length = end

    def contents(self):
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
