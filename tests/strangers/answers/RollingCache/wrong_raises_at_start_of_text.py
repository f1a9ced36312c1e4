# Demands window + n - 1 slots even when the text is still shorter than the window and all keys are there; raises too often for short texts or slots < window.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        R = len(self.k)
        for row_k, row_v in zip(k, v):
            self.k[self.length % R], self.v[self.length % R] = row_k, row_v
            self.length += 1

    def positions(self) -> Tensor:
        R, n = len(self.k), self.length - 1
        a = (n - torch.arange(R)) % R
        return torch.where(n >= a, n - a, -1)

    def attend(self, q: Tensor) -> Tensor:
        n = len(q)
        if n > self.length or self.window + n - 1 > len(self.k):
            raise LookupError("ring too small")
        p = torch.arange(self.length - n, self.length)[:, None]
        at = self.positions()
        seen = (at >= 0) & (at <= p) & (at > p - self.window)
        s = q @ self.k.T / q.shape[1] ** 0.5
        s[~seen] = -torch.inf
        return s.softmax(-1) @ self.v
