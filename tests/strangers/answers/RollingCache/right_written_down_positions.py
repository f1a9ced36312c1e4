# Keeps a tensor with the position of each slot and writes token by token; attend gathers the slots of each query in order.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots
        self.at = torch.full((slots,), -1, dtype=torch.int64)

    def append(self, k: Tensor, v: Tensor) -> None:
        for key, value in zip(k, v):
            slot = self.length % len(self.at)
            self.k[slot] = key
            self.v[slot] = value
            self.at[slot] = self.length
            self.length += 1

    def positions(self) -> Tensor:
        return self.at.clone()

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.at)
        first = self.length - n
        if first < 0:
            raise LookupError(f"{n} queries, {self.length} tokens")
        o = q.new_zeros(n, self.v.shape[1])
        ranges = [range(max(0, p - self.window + 1), p + 1) for p in range(first, self.length)]
        oldest = max(0, self.length - slots)
        if ranges and ranges[0].start < oldest:
            raise LookupError(f"token {ranges[0].start} has been replaced")
        for i, seen in enumerate(ranges):
            where = torch.tensor([j % slots for j in seen])
            s = self.k[where] @ q[i] * q.shape[1] ** -0.5
            o[i] = torch.softmax(s, 0) @ self.v[where]
        return o
