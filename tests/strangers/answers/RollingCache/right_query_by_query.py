# attend answers query after query, each from the slots of its own window.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = self.k.shape[0], k.shape[0]
        kept = min(n, slots)
        where = torch.arange(self.length + n - kept, self.length + n).remainder(slots)
        self.k[where] = k[n - kept :]
        self.v[where] = v[n - kept :]
        self.length += n

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        out = torch.full((slots,), -1, dtype=torch.int64)
        newest = torch.arange(max(0, self.length - slots), self.length)
        out[newest % slots] = newest
        return out

    def attend(self, q: Tensor) -> Tensor:
        slots, n = self.k.shape[0], q.shape[0]
        start = self.length - n
        if start < 0 or max(0, start + 1 - self.window) < self.length - slots:
            raise LookupError
        rows = []
        for i in range(n):
            p = start + i
            slot = torch.arange(max(0, p + 1 - self.window), p + 1) % slots
            weights = torch.softmax(self.k[slot] @ q[i] * q.shape[1] ** -0.5, dim=0)
            rows.append(weights @ self.v[slot])
        return torch.stack(rows)
