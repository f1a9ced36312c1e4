# Index assignment with repeated slots when more tokens come than there are slots: which one stays is not defined, and here the tokens are written in reversed order, so the oldest wins.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[0]
        slots = (torch.arange(n) + self.length) % self.k.shape[0]
        order = torch.arange(n - 1, -1, -1)
        self.k[slots[order]] = k[order]
        self.v[slots[order]] = v[order]
        self.length += n

    def positions(self) -> Tensor:
        R, n = self.k.shape[0], self.length - 1
        pos = n - (n - torch.arange(R)) % R
        return torch.clamp(pos, min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        first = self.length - n
        if first < 0 or max(first - self.window + 1, 0) < self.length - self.k.shape[0]:
            raise LookupError
        pos, p = self.positions(), torch.arange(first, self.length)[:, None]
        mask = (pos[None] > p) | (pos[None] <= p - self.window) | (pos[None] < 0)
        return torch.softmax((q @ self.k.T / q.shape[1] ** 0.5).masked_fill(mask, -torch.inf), 1) @ self.v
