# Style: forgets the empty slots; positions without clamp are negative and count as seen if within the window of an early query: wrong while the ring is not full (key > query - window holds for negatives), and positions() shows other numbers than -1.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = len(self.k)
        for t in range(max(0, len(k) - slots), len(k)):
            c = (self.length + t) % slots
            self.k[c] = k[t]
            self.v[c] = v[t]
        self.length += len(k)

    def positions(self) -> Tensor:
        slots, newest = len(self.k), self.length - 1
        found = newest - (newest - torch.arange(slots)) % slots
        return found

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        first = self.length - n
        if first < 0:
            raise LookupError("fewer tokens than queries")
        if max(first - self.window + 1, 0) < self.length - len(self.k):
            raise LookupError("a key has been replaced")
        query, key = torch.arange(first, self.length)[:, None], self.positions()
        seen = (key <= query) & (key > query - self.window)
        S = (q @ self.k.T / d**0.5).masked_fill(~seen, -torch.inf)
        return torch.softmax(S, dim=-1) @ self.v
