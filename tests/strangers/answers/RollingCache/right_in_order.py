# append in at most two slices, positions from two aranges, attend on keys put in order
class RollingCache:
    """The last tokens of one head in a ring: token p lies in slot p % slots."""

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = self.k.shape[0]
        skipped = max(k.shape[0] - slots, 0)
        self.length += skipped
        k, v = k[skipped:], v[skipped:]
        while k.shape[0]:
            slot = self.length % slots
            fits = min(slots - slot, k.shape[0])
            self.k[slot : slot + fits] = k[:fits]
            self.v[slot : slot + fits] = v[:fits]
            self.length += fits
            k, v = k[fits:], v[fits:]

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        rounds, pointer = divmod(self.length, slots)
        found = torch.full((slots,), -1, dtype=torch.int64)
        if rounds:
            found[pointer:] = torch.arange((rounds - 1) * slots + pointer, rounds * slots)
        found[:pointer] = torch.arange(rounds * slots, self.length)
        return found

    def attend(self, q: Tensor) -> Tensor:
        slots, (n, d) = self.k.shape[0], q.shape
        begin = self.length - n  # the first query's position
        oldest = max(0, begin + 1 - self.window)
        if begin < 0:
            raise LookupError(f"{n} tokens asked for, {self.length} have come")
        if self.length - oldest > slots:
            raise LookupError(f"token {oldest} has been replaced")
        order = torch.arange(oldest, self.length)
        k, v = self.k[order % slots], self.v[order % slots]
        ago = torch.arange(begin, self.length)[:, None] - order
        S = torch.where((ago >= 0) & (ago < self.window), q @ k.T * d**-0.5, -torch.inf)
        e = torch.exp(S - S.amax(dim=1, keepdim=True))
        return (e / e.sum(dim=1, keepdim=True)) @ v
