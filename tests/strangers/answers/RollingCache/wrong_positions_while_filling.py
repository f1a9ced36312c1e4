# Wrong: slots that were never filled get negative positions other than -1.
# Breaks: "The position of the token in each slot, -1 where there is none".
import torch
from torch import Tensor


class RollingCache:
    """The last tokens of one head in a ring: token p lies in slot p % slots.

    slots: tokens that fit. window: how many tokens a token sees, itself included.
    d, d_v: widths of a key and of a value; all numbers are float32.
    k (slots, d), v (slots, d_v): the ring.
    append(k, v) takes tokens, attend(q) answers the newest ones, positions() says which token
    each slot holds. Returns nothing, (n, d_v) and (slots,) respectively.
    Memory: slots (d + d_v) numbers, however long the sequence; between two calls nothing more
    but a position for each slot, and while `attend` runs at most twice as much, and scores.
    What comes is written where it belongs; the rest of the ring is neither copied for it nor
    written again. Each score is computed once, an eighth of them twice at the most.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are.
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
        n, slots = len(k), len(self.k)
        first = max(0, n - slots)
        slot = torch.arange(self.length + first, self.length + n) % slots
        self.k[slot], self.v[slot] = k[first:], v[first:]
        self.length += n

    def positions(self) -> Tensor:
        """The position of the token in each slot, -1 where there is none: (slots,) int64."""
        slots = len(self.k)
        newest = self.length - 1
        return newest - (newest - torch.arange(slots)) % slots

    def attend(self, q: Tensor) -> Tensor:
        """Attention of the newest n >= 1 tokens, q (n, d), each to `window` up to itself.

        Returns o (n, d_v); scores are scaled by 1/sqrt(d).
        Raises LookupError if fewer than n tokens were appended, or if the first of the n would
        see a key that a newer one has replaced.
        """
        n = len(q)
        oldest = max(0, self.length - n - self.window + 1)
        if n > self.length or oldest < self.length - len(self.k):
            raise LookupError(n)
        at = self.positions()
        p = torch.arange(self.length - n, self.length)[:, None]
        seen = (at >= 0) & (at <= p) & (at > p - self.window)
        s = (q @ self.k.T * q.shape[1] ** -0.5).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=1) @ self.v
