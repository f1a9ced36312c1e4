# Puts tokens into their slots by products with one-hot rows, where they are only to be copied.
import math

import torch
from torch import Tensor



class KVCache:
    def __init__(self, batch, heads, capacity, d):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k, v):
        n, capacity = k.shape[2], self.k.shape[2]
        if self.length + n > capacity:
            raise CacheFull
        if n:
            end = self.length + n
            lot = torch.arange(self.length, end)
            hot = (lot[:, None] == lot).to(k.dtype)
            for old, new in ((self.k, k), (self.v, v)):
                for b in range(old.shape[0]):
                    for h in range(old.shape[1]):
                        torch.mm(hot, new[b, h].contiguous(), out=old[b, h, self.length : end])
            self.length = end

    def contents(self):
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
