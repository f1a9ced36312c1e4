# index_copy_ with computed slots, isinstance and early return for no tokens, split for the views
import torch


class KVCache:
    def __init__(self, batch, heads, capacity, d):
        size = (batch, heads, capacity, d)
        self.k, self.v = torch.zeros(size), torch.zeros(size)
        self.length = 0

    def append(self, k, v):
        n = k.shape[2]
        assert isinstance(n, int)
        if n == 0:
            return
        end = self.length + n
        if end > self.k.shape[2]:
            raise CacheFull
        slots = torch.arange(self.length, end)
        self.k.index_copy_(2, slots, k)
        self.v.index_copy_(dim=2, index=slots, source=v)
        self.length = end

    def contents(self):
        return self.k.split([self.length, self.k.shape[2] - self.length], 2)[0], self.v[:, :, :self.length]
