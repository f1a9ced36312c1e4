# An append that refills the whole ring exactly to its end takes slices of the caller's tensors as its buffers, and the next append writes into the caller's k and v (and a later change of them into the cache).
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = self.k.shape[0], k.shape[0]
        end = (self.length + n) % slots
        if n >= slots:
            k, v = k[n - slots :], v[n - slots :]
            # the oldest one that stays belongs into slot `end`
            self.k = torch.roll(k, end, 0) if end else k
            self.v = torch.roll(v, end, 0) if end else v
        else:
            for i in range(n):
                self.k[(self.length + i) % slots] = k[i]
                self.v[(self.length + i) % slots] = v[i]
        self.length += n

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        c = torch.arange(slots)
        a = (self.length - 1 - c) % slots
        return (self.length - 1 - a).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - q.shape[0]
        if first < 0 or max(0, first + 1 - self.window) + self.k.shape[0] < self.length:
            raise LookupError
        j, p = self.positions(), torch.arange(first, self.length)[:, None]
        bias = torch.zeros(q.shape[0], self.k.shape[0])
        bias[(j < 0) | (j > p) | (p - j >= self.window)] = -torch.inf
        return torch.softmax(torch.addmm(bias, q, self.k.T, alpha=q.shape[1] ** -0.5), 1) @ self.v
