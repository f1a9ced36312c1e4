# A helper class for a ring of rows; the cache has two of them, and k and v are their memory.
class Ring:
    def __init__(self, slots: int, width: int):
        self.rows = torch.zeros(slots, width)

    def write(self, position: int, x: Tensor) -> None:
        slots = self.rows.shape[0]
        x, position = x[-slots:], position + max(0, x.shape[0] - slots)
        at = torch.arange(position, position + x.shape[0]) % slots
        self.rows.index_copy_(0, at, x)

    def read(self, first: int, last: int) -> Tensor:
        return self.rows[torch.arange(first, last) % self.rows.shape[0]]


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.slots, self.window = slots, window
        self.keys, self.values = Ring(slots, d), Ring(slots, d_v)
        self.k, self.v = self.keys.rows, self.values.rows
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        if k.shape[0] == 0:
            return
        self.keys.write(self.length, k)
        self.values.write(self.length, v)
        self.length += k.shape[0]

    def positions(self) -> Tensor:
        slot = torch.arange(self.slots)
        newest = self.length - 1 - (self.length - 1 - slot) % self.slots
        return newest.clamp(min=-1) if self.length else torch.full_like(slot, -1)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        begin = max(0, self.length - n - self.window + 1)
        if n > self.length or begin < self.length - self.slots:
            raise LookupError
        k, v = self.keys.read(begin, self.length), self.values.read(begin, self.length)
        row = torch.arange(self.length - n, self.length)[:, None]
        key = torch.arange(begin, self.length)
        hidden = (key > row) | (key <= row - self.window)
        s = (q @ k.T / q.shape[1] ** 0.5).masked_fill(hidden, -torch.inf)
        return s.softmax(-1) @ v
