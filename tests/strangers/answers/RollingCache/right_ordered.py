# style: takes the seen keys out in order of position, token by token loops
import torch
from torch import Tensor


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        for key, value in zip(k, v):
            slot = self.length % self.k.shape[0]
            self.k[slot] = key
            self.v[slot] = value
            self.length += 1

    def positions(self) -> Tensor:
        held = torch.full((self.k.shape[0],), -1, dtype=torch.int64)
        for p in range(max(0, self.length - self.k.shape[0]), self.length):
            held[p % self.k.shape[0]] = p
        return held

    def attend(self, q: Tensor) -> Tensor:
        n, slots = q.shape[0], self.k.shape[0]
        if n > self.length:
            raise LookupError(f"{n} queries, {self.length} tokens")
        oldest = max(0, self.length - slots)
        out = torch.empty(n, self.v.shape[1])
        for i in range(n):
            p = self.length - n + i
            begin = max(0, p - self.window + 1)
            if begin < oldest:
                raise LookupError(f"token {begin} has been replaced")
            here = torch.arange(begin, p + 1) % slots
            e = self.k[here] @ q[i] / q.shape[1] ** 0.5
            w = torch.exp(e - e.max())
            out[i] = (w[:, None] * self.v[here]).sum(0) / w.sum()
        return out
