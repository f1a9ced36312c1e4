# memory: keeps the last two appended pieces as they came, and answers from them where they reach
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0
        self.pieces = []

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = self.k.shape[0], k.shape[0]
        kept = min(n, slots)
        where = torch.arange(self.length + n - kept, self.length + n).remainder(slots)
        self.k[where] = k[n - kept :]
        self.v[where] = v[n - kept :]
        self.length += n
        self.pieces = [*self.pieces[-1:], (k.clone(), v.clone())]

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        out = torch.full((slots,), -1, dtype=torch.int64)
        newest = torch.arange(max(0, self.length - slots), self.length)
        out[newest % slots] = newest
        return out

    def attend(self, q: Tensor) -> Tensor:
        slots, n = self.k.shape[0], q.shape[0]
        start = self.length - n
        first = max(0, start + 1 - self.window)
        if start < 0 or first < self.length - slots:
            raise LookupError
        needed = self.length - first
        k = torch.cat([p[0] for p in self.pieces])
        v = torch.cat([p[1] for p in self.pieces])
        if k.shape[0] >= needed:
            k, v = k[k.shape[0] - needed :], v[v.shape[0] - needed :]
        else:
            slot = torch.arange(first, self.length) % slots
            k, v = self.k[slot], self.v[slot]
        row = torch.arange(start, self.length)[:, None]
        key = torch.arange(first, self.length)
        hidden = (key > row) | (key <= row - self.window)
        s = (q @ k.T * q.shape[1] ** -0.5).masked_fill(hidden, -torch.inf)
        return torch.softmax(s, -1) @ v
