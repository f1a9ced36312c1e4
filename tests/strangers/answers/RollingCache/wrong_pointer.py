# Style: llm-style write pointer that is wrapped in place of a count (self.length %= slots): wrong once the ring has gone round; positions start again from 0.
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
        if self.length >= 2 * slots:
            self.length = slots + self.length % slots

    def positions(self) -> Tensor:
        slots, newest = len(self.k), self.length - 1
        found = newest - (newest - torch.arange(slots)) % slots
        return found.clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        first = self.length - n
        if first < 0:
            raise LookupError("fewer tokens than queries")
        if max(first - self.window + 1, 0) < self.length - len(self.k):
            raise LookupError("a key has been replaced")
        query, key = torch.arange(first, self.length)[:, None], self.positions()
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        S = (q @ self.k.T / d**0.5).masked_fill(~seen, -torch.inf)
        return torch.softmax(S, dim=-1) @ self.v
