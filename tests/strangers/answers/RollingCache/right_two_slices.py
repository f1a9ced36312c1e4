# Right: append in at most two slices, positions from the age of a slot, attend over the selected slots that anybody sees.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = self.k.shape[0], k.shape[0]
        skip = max(0, n - slots)  # these would be written over at once
        at = (self.length + skip) % slots
        straight = min(n - skip, slots - at)
        for ring, new in ((self.k, k[skip:]), (self.v, v[skip:])):
            ring[at : at + straight] = new[:straight]
            ring[: n - skip - straight] = new[straight:]
        self.length += n

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        newest = self.length - 1
        age = torch.remainder(newest - torch.arange(slots), slots)
        return (newest - age).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        if n > self.length:
            raise LookupError(f"{n} queries, {self.length} tokens")
        wanted = max(0, self.length - n - self.window + 1)
        if wanted < self.length - self.k.shape[0]:
            raise LookupError(f"the key at position {wanted} has been replaced")
        position = self.positions()
        useful = (position >= wanted).nonzero().flatten()
        back = torch.arange(self.length - n, self.length)[:, None] - position[useful]
        s = q @ self.k[useful].T * q.shape[1] ** -0.5
        s = s.masked_fill((back < 0) | (back >= self.window), -torch.inf)
        return torch.softmax(s, dim=1) @ self.v[useful]
