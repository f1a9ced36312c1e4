# Hidden scores become -1e9, which a score that is seen may lie below.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        n, slots = k.shape[0], self.k.shape[0]
        stay = min(n, slots)
        to = torch.arange(self.length + n - stay, self.length + n) % slots
        self.k[to], self.v[to] = k[n - stay :], v[n - stay :]
        self.length += n

    def positions(self) -> Tensor:
        newest = self.length - 1
        age = (newest - torch.arange(self.k.shape[0])) % self.k.shape[0]
        return (newest - age).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        if n > self.length:
            raise LookupError("not so many tokens")
        if max(0, self.length - n - self.window + 1) < self.length - self.k.shape[0]:
            raise LookupError("a key is gone")
        p = torch.arange(self.length - n, self.length)[:, None]
        at = self.positions()
        seen = (at >= 0) & (at <= p) & (at > p - self.window)
        s = (q @ self.k.T / q.shape[1] ** 0.5).masked_fill(~seen, -1e9)
        return torch.softmax(s, dim=-1) @ self.v
