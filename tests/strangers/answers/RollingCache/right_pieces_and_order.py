# append copies runs of consecutive slots, positions() is filled from the newest backwards, attend() brings the keys that count into order first and masks a band
class RollingCache:
    """The last tokens of one head in a ring: token p lies in slot p % slots.

    slots: tokens that fit. window: how many tokens a token sees, itself included.
    d, d_v: widths of a key and of a value; all numbers are float32.
    append(k, v) takes tokens, attend(q) answers the newest ones, positions() says which token
    each slot holds. Returns nothing, (n, d_v) and (slots,) respectively.
    Memory: slots (d + d_v) numbers, however long the sequence; between two calls nothing more.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are.
    """

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        """Take n more tokens, k (n, d) and v (n, d_v), each in place of the one `slots` before.

        n may be 0. It may be larger than the number of slots: then only the last ones stay.
        """
        slots = self.k.shape[0]
        n = k.shape[0]
        done = max(n - slots, 0)
        while done < n:
            slot = (self.length + done) % slots
            run = min(slots - slot, n - done)
            self.k[slot : slot + run] = k[done : done + run]
            self.v[slot : slot + run] = v[done : done + run]
            done += run
        self.length += n

    def positions(self) -> Tensor:
        """The position of the token in each slot, -1 where there is none: (slots,) int64."""
        slots = self.k.shape[0]
        held = torch.full((slots,), -1, dtype=torch.int64)
        for token in range(max(self.length - slots, 0), self.length):
            held[token % slots] = token
        return held

    def attend(self, q: Tensor) -> Tensor:
        """Attention of the newest n >= 1 tokens, q (n, d), each to `window` up to itself.

        Returns o (n, d_v); scores are scaled by 1/sqrt(d).
        Raises LookupError if fewer than n tokens were appended, or if the first of the n would
        see a key that a newer one has replaced.
        """
        slots, n = self.k.shape[0], q.shape[0]
        first = self.length - n
        begin = max(0, first - self.window + 1)
        if first < 0 or begin < self.length - slots:
            raise LookupError(f"{n} queries, {self.length} tokens in {slots} slots")
        order = torch.arange(begin, self.length) % slots
        keys, values = self.k[order], self.v[order]
        m = len(order)
        age = torch.arange(m - n, m)[:, None] - torch.arange(m)
        hidden = (age < 0) | (age >= min(self.window, m))
        s = torch.einsum("id,jd->ij", q, keys) * q.shape[1] ** -0.5
        return torch.softmax(s.masked_fill(hidden, -torch.inf), dim=1) @ values
