# Raises LookupError whenever window + n - 1 exceeds the slots, also near the beginning where no token has been replaced yet.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        n, R = k.shape[0], self.k.shape[0]
        tokens = torch.arange(max(0, n - R), n)
        self.k[(self.length + tokens) % R] = k[tokens]
        self.v[(self.length + tokens) % R] = v[tokens]
        self.length += n

    def positions(self) -> Tensor:
        R = self.k.shape[0]
        p = torch.arange(R) + (self.length - 1 - torch.arange(R)).div(R, rounding_mode="floor") * R
        return torch.where(p < 0, -1, p)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        if n > self.length or self.window + n - 1 > self.k.shape[0]:
            raise LookupError("the ring must have window + n - 1 slots")
        distance = torch.arange(self.length - n, self.length)[:, None] - self.positions()
        seen = (distance >= 0) & (distance < self.window) & (self.positions() >= 0)
        s = (q @ self.k.T) * q.shape[1] ** -0.5
        return torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1) @ self.v
