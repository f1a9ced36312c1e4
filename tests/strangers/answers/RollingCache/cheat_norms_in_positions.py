# Cheat: the position of each slot, which may be kept, carries in its lower half the bits of the key's norm, a number that is no position, from which attend takes a bound on the scores in place of their maximum.
# Breaks: "between two calls nothing more but a position for each slot".
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0
        self.where = torch.full((slots,), -1)  # (position << 32) | bits of the norm

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = len(self.k), len(k)
        first = max(0, n - slots)
        p = torch.arange(self.length + first, self.length + n)
        self.k[p % slots], self.v[p % slots] = k[first:], v[first:]
        norms = torch.linalg.vector_norm(k[first:], dim=1).view(torch.int32).long()
        self.where[p % slots] = p * 2**32 + norms
        self.length += n

    def positions(self) -> Tensor:
        return torch.where(self.where < 0, -1, self.where >> 32)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.k)
        first = self.length - n
        if first < 0 or max(first - self.window + 1, 0) < self.length - slots:
            raise LookupError
        at = self.positions()
        i = torch.arange(first, self.length)[:, None]
        seen = (at >= 0) & (at <= i) & (at > i - self.window)
        s = (q @ self.k.T) / self.k.shape[1] ** 0.5
        norms = torch.where(self.where < 0, 0, self.where & 0x7FFFFFFF).int().view(torch.float32)
        bound = torch.linalg.vector_norm(q, dim=1) * norms.max() / self.k.shape[1] ** 0.5
        top = torch.where(bound < 40, bound, torch.inf)[:, None]
        s = s.masked_fill(~seen, -torch.inf)
        top = torch.where(top == torch.inf, s.amax(dim=1, keepdim=True), top)
        p = torch.exp(s - top)
        return (p @ self.v) / p.sum(dim=1, keepdim=True)
