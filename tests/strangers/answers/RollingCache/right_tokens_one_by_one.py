# plain: tokens are written one by one, positions are counted through, and each query fetches its keys by their slots
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    @property
    def _oldest(self) -> int:
        """The oldest token that is still there."""
        return max(0, self.length - len(self.k))

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = len(self.k)
        for i in range(max(0, len(k) - slots), len(k)):
            slot = (self.length + i) % slots
            self.k[slot] = k[i]
            self.v[slot] = v[i]
        self.length += len(k)

    def positions(self) -> Tensor:
        held = [-1] * len(self.k)
        for p in range(self._oldest, self.length):
            held[p % len(held)] = p
        return torch.tensor(held, dtype=torch.int64)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - len(q)
        if first < 0:
            raise LookupError(f"only {self.length} tokens have come")
        if max(0, first - self.window + 1) < self._oldest:
            raise LookupError(f"token {first} would see a key that was replaced")
        o = self.v.new_empty(len(q), self.v.shape[1])
        for i, row in enumerate(q):
            p = first + i
            held = [j % len(self.k) for j in range(max(0, p - self.window + 1), p + 1)]
            s = self.k[held] @ row / q.shape[1] ** 0.5
            o[i] = torch.softmax(s, dim=0) @ self.v[held]
        return o
