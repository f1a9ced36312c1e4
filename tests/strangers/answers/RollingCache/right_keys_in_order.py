# attend puts the keys it needs back into order with modular indices and uses a band mask; append copies at most two pieces.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = len(self.k)
        self.length += len(k)
        keep = min(len(k), slots)
        if keep == 0:
            return
        at = (self.length - keep) % slots
        first = min(keep, slots - at)
        for ring, new in ((self.k, k[len(k) - keep :]), (self.v, v[len(v) - keep :])):
            ring[at : at + first] = new[:first]
            ring[: keep - first] = new[first:]

    def positions(self) -> Tensor:
        slots, newest = len(self.k), self.length - 1
        held = newest - (newest - torch.arange(slots)) % slots
        return held.clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.k)
        oldest = max(0, self.length - n - self.window + 1)
        if n > self.length or oldest < self.length - slots:
            raise LookupError("a key that is needed is not there")
        j = torch.arange(oldest, self.length)
        p = torch.arange(self.length - n, self.length)[:, None]
        s = q @ self.k[j % slots].T / q.shape[1] ** 0.5
        s[(j > p) | (j <= p - self.window)] = -torch.inf
        return torch.softmax(s, 1) @ self.v[j % slots]
