# Right: runs of neighbouring slots; attend reads the ring as two arcs in the order of the tokens and masks a band.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def _arcs(self, begin, end):
        """Slices of slots that hold the tokens begin to end - 1, at most `slots` of them."""
        slots = self.k.shape[0]
        while begin < end:
            slot = begin % slots
            run = min(slots - slot, end - begin)
            yield slice(slot, slot + run)
            begin += run

    def append(self, k: Tensor, v: Tensor) -> None:
        n, slots = k.shape[0], self.k.shape[0]
        at = max(0, n - slots)
        for arc in self._arcs(self.length + at, self.length + n):
            run = arc.stop - arc.start
            self.k[arc].copy_(k[at : at + run])
            self.v[arc].copy_(v[at : at + run])
            at += run
        self.length += n

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        laps, rest = divmod(self.length, slots)
        held = [laps * slots + c if c < rest else (laps - 1) * slots + c for c in range(slots)]
        return torch.tensor([max(p, -1) for p in held], dtype=torch.int64)

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        first = self.length - n
        if first < 0:
            raise LookupError(f"{n} queries, {self.length} tokens")
        oldest = max(0, first + 1 - self.window)
        if oldest + self.k.shape[0] < self.length:
            raise LookupError(f"token {oldest} has been replaced")
        arcs = list(self._arcs(oldest, self.length))
        s = torch.cat([q @ self.k[arc].T for arc in arcs], dim=1) / d**0.5
        band = torch.ones(s.shape, dtype=torch.bool).tril(first - oldest)
        band = band.triu(first - oldest + 1 - min(self.window, self.length))
        p = s.masked_fill(~band, -torch.inf).softmax(dim=1)
        o, at = q.new_zeros(n, self.v.shape[1]), 0
        for arc in arcs:
            run = arc.stop - arc.start
            o += p[:, at : at + run] @ self.v[arc]
            at += run
        return o
