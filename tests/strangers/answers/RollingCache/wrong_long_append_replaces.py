# Wrong: an append of at least `slots` tokens puts views of the caller's last rows in place of the buffers: they begin at slot 0 instead of slot p % slots (wrong unless the new length is a multiple of slots), and later appends write into the caller's tensor; shorter appends are right.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.slots = slots
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[0]
        if n >= self.slots:
            # everything that was there is overwritten anyway
            self.k, self.v = k[-self.slots :], v[-self.slots :]
        else:
            at = self.length % self.slots
            tail = min(n, self.slots - at)
            self.k[at : at + tail], self.v[at : at + tail] = k[:tail], v[:tail]
            self.k[: n - tail], self.v[: n - tail] = k[tail:], v[tail:]
        self.length += n

    def positions(self) -> Tensor:
        newest = self.length - 1
        c = torch.arange(self.slots)
        pos = newest - (newest - c) % self.slots
        return torch.where(pos >= 0, pos, torch.full_like(pos, -1))

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        start = self.length - n
        if start < 0 or max(0, start - self.window + 1) < self.length - self.slots:
            raise LookupError("a key that is needed is not in the cache")
        pos = self.positions()
        rows = torch.arange(start, self.length)[:, None]
        mask = (pos != -1) & (pos <= rows) & (pos > rows - self.window)
        scores = (q @ self.k.T / d**0.5).where(mask, torch.tensor(-torch.inf))
        return torch.softmax(scores, dim=-1) @ self.v
