# walks tokens, not slots: positions by writing numbers to slots, attend gathers the keys back into order and raises IndexError, which is a LookupError; keeps the contract
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def _held(self):
        return range(max(0, self.length - self.k.shape[0]), self.length)

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = self.k.shape[0]
        for t in range(max(0, k.shape[0] - slots), k.shape[0]):
            c = (self.length + t) % slots
            self.k[c].copy_(k[t])
            self.v[c].copy_(v[t])
        self.length += k.shape[0]

    def positions(self) -> Tensor:
        out = torch.full((self.k.shape[0],), -1, dtype=torch.int64)
        for p in self._held():
            out[p % self.k.shape[0]] = p
        return out

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        start = self.length - n
        if start < 0:
            raise IndexError("more queries than tokens")
        oldest = max(0, start + 1 - self.window)
        if oldest not in self._held():
            raise IndexError("a key has been overwritten")
        order = torch.arange(oldest, self.length)
        keys, values = self.k[order % self.k.shape[0]], self.v[order % self.k.shape[0]]
        age = torch.arange(start, self.length)[:, None] - order[None, :]
        scores = (q @ keys.T) / q.shape[1] ** 0.5
        scores[(age < 0) | (age >= self.window)] = float("-inf")
        return scores.softmax(dim=1) @ values
