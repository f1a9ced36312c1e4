# Right: remainder arithmetic for slots and positions, LookupError from the oldest token still held, mask over slots by their positions.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        R, n = self.k.shape[0], k.shape[0]
        kept = min(n, R)
        after = self.length + n
        where = torch.remainder(torch.arange(after - kept, after), R)
        self.k[where] = k[n - kept :]
        self.v[where] = v[n - kept :]
        self.length = after

    def positions(self) -> Tensor:
        R, newest = self.k.shape[0], self.length - 1
        age = torch.remainder(newest - torch.arange(R), R)
        return (newest - age).clamp_(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        R, n = self.k.shape[0], q.shape[0]
        first = self.length - n
        if first < 0:
            raise LookupError(f"{n} queries, but only {self.length} tokens")
        oldest_wanted = max(first - self.window + 1, 0)
        oldest_held = max(self.length - R, 0)
        if oldest_wanted < oldest_held:
            raise LookupError(f"token {oldest_wanted} has been replaced")
        held = self.positions()[None, :]
        asking = torch.arange(first, self.length)[:, None]
        hidden = (held < 0) | (held > asking) | (held <= asking - self.window)
        S = q @ self.k.T * q.shape[1] ** -0.5
        return torch.softmax(S.masked_fill(hidden, -torch.inf), dim=1) @ self.v
