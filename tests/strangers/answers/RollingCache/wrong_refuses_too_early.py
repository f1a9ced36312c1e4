# Wrong: attend raises LookupError whenever window + n - 1 > slots, also while the sequence is still so short that nothing has been replaced (e.g. slots 4, window 3, 4 tokens appended, 4 queries); chunks that the ring is made for are right.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = len(self.k)
        skip = max(0, len(k) - slots)
        for row_k, row_v, p in zip(k[skip:], v[skip:], range(self.length + skip, self.length + len(k))):
            self.k[p % slots] = row_k
            self.v[p % slots] = row_v
        self.length += len(k)

    def positions(self) -> Tensor:
        slots = len(self.k)
        out = torch.full((slots,), -1, dtype=torch.int64)
        for p in range(max(0, self.length - slots), self.length):
            out[p % slots] = p
        return out

    def attend(self, q: Tensor) -> Tensor:
        n = len(q)
        if n > self.length:
            raise LookupError("more queries than tokens")
        if n + self.window - 1 > len(self.k):
            raise LookupError("the ring is too small for this chunk")
        pos = self.positions()
        p = torch.arange(self.length - n, self.length).unsqueeze(1)
        seen = (pos >= 0) & (pos <= p) & (p - pos < self.window)
        s = (q @ self.k.T) / q.shape[1] ** 0.5
        s = s.masked_fill(~seen, float("-inf"))
        return s.softmax(-1) @ self.v
