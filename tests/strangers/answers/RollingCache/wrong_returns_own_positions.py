# Positions() hands out the tensor that the cache itself goes on using, so what a caller holds changes later.
import torch


class RollingCache:
    def __init__(self, slots, window, d, d_v):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0
        self.at = torch.full((slots,), -1)

    def append(self, k, v):
        slots, n = len(self.k), len(k)
        kept = min(n, slots)
        self.length += n
        coming = torch.arange(self.length - kept, self.length)
        self.k[coming % slots] = k[n - kept :]
        self.v[coming % slots] = v[n - kept :]
        self.at[coming % slots] = coming

    def positions(self):
        return self.at

    def attend(self, q):
        first = self.length - len(q)
        if first < 0 or max(0, first - self.window + 1) < self.length - len(self.k):
            raise LookupError
        p = torch.arange(first, self.length)[:, None]
        seen = (self.at >= 0) & (self.at <= p) & (self.at > p - self.window)
        s = q @ self.k.T / self.k.shape[1] ** 0.5
        return torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1) @ self.v
