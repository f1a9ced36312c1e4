# When more tokens than slots come at once it keeps the right ones but writes them from the old pointer on, so they lie in the wrong slots unless n is a multiple of the slots.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = self.k.shape[0], k.shape[0]
        pointer = self.length % slots
        k, v = k[-slots:], v[-slots:]  # only the last ones stay
        index = (pointer + torch.arange(k.shape[0])) % slots
        self.k[index], self.v[index] = k, v
        self.length += n

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        n = self.length - 1
        return torch.tensor([max(-1, n - (n - c) % slots) for c in range(slots)])

    def attend(self, q: Tensor) -> Tensor:
        n, slots = q.shape[0], self.k.shape[0]
        p = torch.arange(self.length - n, self.length).unsqueeze(1)
        if n > self.length or max(0, int(p[0]) - self.window + 1) < self.length - slots:
            raise LookupError
        j = self.positions()
        hidden = (j < 0) | (j > p) | (j <= p - self.window)
        s = (q @ self.k.T / q.shape[1] ** 0.5).masked_fill(hidden, -torch.inf)
        return s.softmax(1) @ self.v
