# Wrong: attend demands n + window - 1 <= slots always, and so raises LookupError near the beginning of a sequence (or for few tokens) though nothing has been replaced yet.
class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots = self.k.shape[0]
        keep = min(k.shape[0], slots)
        self.length += k.shape[0]
        index = torch.arange(self.length - keep, self.length) % slots
        self.k[index] = k[k.shape[0] - keep :]
        self.v[index] = v[v.shape[0] - keep :]

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        out = torch.full((slots,), -1, dtype=torch.int64)
        for p in range(max(0, self.length - slots), self.length):
            out[p % slots] = p
        return out

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        if n > self.length or n + self.window - 1 > self.k.shape[0]:
            raise LookupError("not enough slots for this many queries")
        key_pos = self.positions()
        query_pos = torch.arange(self.length - n, self.length).unsqueeze(1)
        ok = (key_pos >= 0) & (key_pos <= query_pos) & (key_pos > query_pos - self.window)
        scores = (q @ self.k.T / d**0.5).masked_fill(~ok, float("-inf"))
        return scores.softmax(-1) @ self.v
