# index arithmetic modulo slots everywhere, positions by a formula, attention only over the slots of keys in question
import math

import torch


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k, self.v = torch.zeros(slots, d), torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k, v):
        slots, n = len(self.k), len(k)
        skip = max(0, n - slots)
        where = torch.arange(self.length + skip, self.length + n).remainder(slots)
        self.k.index_copy_(0, where, k[skip:])
        self.v.index_copy_(0, where, v[skip:])
        self.length += n

    def positions(self):
        slots = len(self.k)
        newest = self.length - 1
        slot = torch.arange(slots)
        # the largest p <= newest with p % slots == slot
        p = newest - (newest - slot) % slots
        return p.clamp(min=-1)

    def attend(self, q):
        n = q.shape[0]
        first = self.length - n
        if first < 0:
            raise LookupError(f"{n} queries, {self.length} tokens")
        low = max(0, first - self.window + 1)
        if low < self.length - len(self.k):
            raise LookupError(f"token {low} has been replaced")
        tokens = torch.arange(low, self.length)
        at = tokens % len(self.k)
        asked = torch.arange(first, self.length)
        s = torch.einsum("id,jd->ij", q, self.k[at]) / math.sqrt(q.shape[1])
        gap = asked[:, None] - tokens[None, :]
        s = s.masked_fill((gap < 0) | (gap >= self.window), -torch.inf)
        return torch.softmax(s, dim=1) @ self.v[at]
