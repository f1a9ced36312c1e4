# Wrong: an append of more tokens than slots keeps the last ones but begins to write them at length % slots, not at (length + n) % slots, so slots and positions disagree afterwards; right for n <= slots (and for n a multiple of slots).
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        size = self.k.shape[0]
        came = k.shape[0]
        if came > size:
            k, v = k[-size:], v[-size:]
        where = (self.length + torch.arange(k.shape[0])) % size
        self.k.index_copy_(0, where, k)
        self.v.index_copy_(0, where, v)
        self.length += came

    def positions(self) -> Tensor:
        size = self.k.shape[0]
        newest = self.length - 1
        c = torch.arange(size)
        pos = newest - (newest - c) % size
        return torch.where(pos < 0, torch.full_like(pos, -1), pos)

    def attend(self, q: Tensor) -> Tensor:
        n = q.shape[0]
        first = self.length - n
        if first < 0:
            raise LookupError("fewer tokens than queries")
        oldest_kept = max(0, self.length - self.k.shape[0])
        if max(0, first - self.window + 1) < oldest_kept:
            raise LookupError("a key is gone")
        pos = self.positions()
        rows = []
        for i in range(n):
            p = first + i
            seen = (pos >= 0) & (pos <= p) & (pos > p - self.window)
            weight = torch.softmax(self.k[seen] @ q[i] / q.shape[1] ** 0.5, dim=0)
            rows.append(weight @ self.v[seen])
        return torch.stack(rows)
