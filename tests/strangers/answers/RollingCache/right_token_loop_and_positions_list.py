# Token by token into the ring, a list of positions kept by hand, keys brought into order by argsort before attention.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0
        self.held = [-1] * slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = len(self.held)
        skip = max(0, k.shape[0] - slots)
        for i in range(skip, k.shape[0]):
            position = self.length + i
            slot = position % slots
            self.k[slot], self.v[slot] = k[i], v[i]
            self.held[slot] = position
        self.length += k.shape[0]

    def positions(self) -> Tensor:
        return torch.tensor(self.held, dtype=torch.int64)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        if n > self.length:
            raise LookupError("fewer tokens were appended than are asked for")
        first = self.length - n
        if max(0, first - self.window + 1) < self.length - len(self.held):
            raise LookupError("a key that the first one sees is gone")
        held = self.positions()
        rows = torch.arange(first, self.length)[:, None]
        seen = (held >= 0) & (held <= rows) & (held > rows - self.window)
        scores = (q @ self.k.T) * q.shape[1] ** -0.5
        return torch.softmax(scores.masked_fill(~seen, -torch.inf), dim=-1) @ self.v
