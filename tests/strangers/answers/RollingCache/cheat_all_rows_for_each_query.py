# cheat: all queries meet the ring once more for every query, and one row of scores is kept
import torch


class RollingCache:
    def __init__(self, slots, window, d, d_v):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k, v):
        slots = torch.arange(len(self.k))[:, None]
        for i in range(max(len(k) - len(self.k), 0), len(k)):
            here = slots == (self.length + i) % len(self.k)
            self.k[here[:, 0]], self.v[here[:, 0]] = k[i], v[i]
        self.length += len(k)

    def positions(self):
        newest = self.length - 1
        return (newest - (newest - torch.arange(len(self.k))) % len(self.k)).clamp(min=-1)

    def attend(self, q):
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - len(self.k):
            raise LookupError
        query, key = torch.arange(first, self.length)[:, None], self.positions()
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        o = torch.empty(len(q), self.v.shape[1])
        for i in range(len(q)):
            s = (q.shape[-1] ** -0.5 * (q @ self.k.T)).masked_fill(~seen, -torch.inf)
            o[i] = (torch.softmax(s, dim=-1) @ self.v)[i]
        return o
