# Notes each slot's position in a Python list as tokens are written one by one, and answers query by query.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots
        self.held = [-1] * slots

    def append(self, k: Tensor, v: Tensor) -> None:
        for key, value in zip(k, v):
            slot = self.length % len(self.held)
            self.k[slot], self.v[slot], self.held[slot] = key, value, self.length
            self.length += 1

    def positions(self) -> Tensor:
        return torch.tensor(self.held, dtype=torch.int64)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - q.shape[0]
        if first < 0:
            raise LookupError(f"only {self.length} tokens so far")
        where = {p: slot for slot, p in enumerate(self.held) if p >= 0}
        if any(p not in where for p in range(max(0, first - self.window + 1), self.length)):
            raise LookupError("overwritten")
        rows = []
        for i, query in enumerate(q):
            p = first + i
            seen = [where[j] for j in range(max(0, p - self.window + 1), p + 1)]
            s = self.k[seen] @ query * self.k.shape[1] ** -0.5
            rows.append(s.softmax(0) @ self.v[seen])
        return torch.stack(rows)
