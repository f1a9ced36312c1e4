# Keeps positions as int32 and returns the cache's own tensor: wrong dtype, and a caller who changes it changes the cache.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots
        self.pos = torch.full((slots,), -1, dtype=torch.int32)

    def append(self, k: Tensor, v: Tensor) -> None:
        for i in range(len(k)):
            c = self.length % len(self.pos)
            self.k[c], self.v[c], self.pos[c] = k[i], v[i], self.length
            self.length += 1

    def positions(self) -> Tensor:
        return self.pos

    def attend(self, q: Tensor) -> Tensor:
        n = len(q)
        if n > self.length or max(0, self.length - n - self.window + 1) < self.length - len(self.pos):
            raise LookupError
        p = torch.arange(self.length - n, self.length)[:, None]
        bad = (self.pos < 0) | (self.pos > p) | (self.pos <= p - self.window)
        return torch.softmax((q @ self.k.T * q.shape[1] ** -0.5).masked_fill(bad, -torch.inf), -1) @ self.v
