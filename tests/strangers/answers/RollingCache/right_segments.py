# small helper methods, properties, and an iterator of the segments that a write falls into
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    @property
    def slots(self) -> int:
        return self.k.shape[0]

    @property
    def oldest(self) -> int:
        """The position of the first token that is still there."""
        return max(0, self.length - self.slots)

    def _segments(self, begin: int, end: int):
        """Pieces (position, slot, count) of the positions begin to end - 1 without a wrap."""
        while begin < end:
            slot = begin % self.slots
            count = min(end - begin, self.slots - slot)
            yield begin, slot, count
            begin += count

    def append(self, k: Tensor, v: Tensor) -> None:
        start, end = self.length, self.length + len(k)
        for position, slot, count in self._segments(max(start, end - self.slots), end):
            source = slice(position - start, position - start + count)
            self.k[slot : slot + count] = k[source]
            self.v[slot : slot + count] = v[source]
        self.length = end

    def positions(self) -> Tensor:
        newest = self.length - 1
        behind = torch.remainder(newest - torch.arange(self.slots), self.slots)
        return (newest - behind).clamp_(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        first = self.length - n
        if first < 0:
            raise LookupError(f"{n} queries, but {self.length} tokens have come")
        if max(0, first - self.window + 1) < self.oldest:
            raise LookupError(f"token {first} would see a key that has been replaced")
        there = self.positions()
        mine = torch.arange(first, self.length)[:, None]
        seen = (there >= 0) & (there <= mine) & (there > mine - self.window)
        s = (q @ self.k.T).mul_(d**-0.5).masked_fill_(~seen, -torch.inf)
        return s.softmax(dim=-1) @ self.v
