# Appends in at most two contiguous pieces; attend unrolls the ring into time order with roll and uses a banded mask.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        R = self.k.size(0)
        skip = max(0, k.size(0) - R)
        self.length += skip
        k, v = k[skip:], v[skip:]
        while k.size(0):
            at = self.length % R
            m = min(R - at, k.size(0))
            self.k[at : at + m] = k[:m]
            self.v[at : at + m] = v[:m]
            k, v = k[m:], v[m:]
            self.length += m

    def positions(self) -> Tensor:
        R = self.k.size(0)
        rounds = [(self.length - 1 - c) // R for c in range(R)]  # floor: -1 where unwritten
        return torch.tensor([r * R + c if r >= 0 else -1 for c, r in enumerate(rounds)], dtype=torch.int64)

    def attend(self, q: Tensor) -> Tensor:
        n, R = q.size(0), self.k.size(0)
        have = min(self.length, R)
        oldest = self.length - have
        if n > self.length or max(0, self.length - n - self.window + 1) < oldest:
            raise LookupError
        turn = -(self.length % R) if self.length > R else 0
        k = self.k.roll(turn, 0)[:have]
        v = self.v.roll(turn, 0)[:have]
        dist = torch.arange(have - n, have)[:, None] - torch.arange(have)[None, :]
        s = q @ k.T * q.size(1) ** -0.5
        s.masked_fill_((dist < 0) | (dist >= self.window), -torch.inf)
        return (s - s.logsumexp(1, keepdim=True)).exp() @ v
