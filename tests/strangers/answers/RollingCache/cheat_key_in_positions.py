# Cheat: keeps the bits of each key's first number in the upper half of its slot's position, and reads it from there
# Breaks: "between two calls nothing more but a position for each slot"
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0
        self.where = torch.full((slots, 2), -1, dtype=torch.int32).view(torch.int64)[:, 0]

    def halves(self) -> Tensor:
        """(slots, 2): the position and the bits of the first number."""
        return self.where[:, None].view(torch.int32)

    def append(self, k: Tensor, v: Tensor) -> None:
        n, slots = k.shape[0], self.k.shape[0]
        kept = min(n, slots)
        positions = torch.arange(self.length + n - kept, self.length + n)
        there = positions % slots
        self.k[there] = k[n - kept :]
        self.v[there] = v[n - kept :]
        halves = self.halves()
        halves[there, 0] = positions.int()
        halves[there, 1] = k[n - kept :, :1].contiguous().view(torch.int32)[:, 0]
        self.length += n

    def positions(self) -> Tensor:
        return self.halves()[:, 0].long()

    def attend(self, q: Tensor) -> Tensor:
        n, slots, d = q.shape[0], self.k.shape[0], q.shape[1]
        first = max(0, self.length - n - self.window + 1)
        if n > self.length or first < self.length - slots:
            raise LookupError(n)
        position = self.positions()
        query = torch.arange(self.length - n, self.length)[:, None]
        seen = (position >= 0) & (position <= query) & (query - position < self.window)
        column = self.halves()[:, 1:].contiguous().view(torch.float32)  # first numbers
        column = column.masked_fill(position[:, None] < 0, 0)
        s = q[:, 1:] @ self.k[:, 1:].T + q[:, :1] @ column.T
        s = (s / d**0.5).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ self.v
