# Forgets that unwritten slots have position -1: with a window that reaches past the start, -1 > p - window is true and the zero keys there get weight while the ring is not full.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        R, n = self.k.shape[0], k.shape[0]
        if n > R:
            self.length += n - R
            k, v, n = k[-R:], v[-R:], R
        idx = [(self.length + i) % R for i in range(n)]
        self.k[idx] = k
        self.v[idx] = v
        self.length += n

    def positions(self) -> Tensor:
        R = self.k.shape[0]
        newest = self.length - 1
        at = newest - torch.remainder(newest - torch.arange(R), R)
        return at.masked_fill(at < 0, -1)

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        if self.length < n:
            raise LookupError("too few tokens")
        if self.length - self.k.shape[0] > max(0, self.length - n - self.window + 1):
            raise LookupError("key replaced")
        mine = torch.arange(self.length - n, self.length).unsqueeze(1)
        pos = self.positions()
        ok = (pos <= mine) & (pos > mine - self.window)
        s = torch.where(ok, q @ self.k.T / d**0.5, float("-inf"))
        return s.softmax(dim=-1) @ self.v
