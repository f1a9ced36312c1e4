# Raises only when the first query's own key has been replaced: a first query that has lost an older key of its window gets an answer from what is left.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = self.k.shape[0]
        for t in range(max(0, len(k) - slots), len(k)):
            self.k[(self.length + t) % slots] = k[t]
            self.v[(self.length + t) % slots] = v[t]
        self.length += len(k)

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        out = torch.full((slots,), -1, dtype=torch.int64)
        for p in range(max(0, self.length - slots), self.length):
            out[p % slots] = p
        return out

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - len(q)
        at = self.positions()
        if first < 0 or first not in at.tolist():
            raise LookupError(first)
        p = torch.arange(first, self.length)[:, None]
        seen = (at >= 0) & (at <= p) & (at > p - self.window)
        return torch.softmax((q @ self.k.T / q.shape[1] ** 0.5).masked_fill(~seen, -torch.inf), -1) @ self.v
