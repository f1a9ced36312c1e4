# attend answers the tokens of the last append, whatever number is asked: the first position is that of the append (shows when fewer queries than appended)
import math

import torch
from torch import Tensor

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
        n, slots = k.shape[0], self.k.shape[0]
        kept = min(n, slots)
        where = torch.arange(self.length + n - kept, self.length + n) % slots
        self.k[where], self.v[where] = k[n - kept :], v[n - kept :]
        self.began = self.length
        self.length += n

    def positions(self) -> Tensor:
        """The position of the token in each slot, -1 where there is none: (slots,) int64."""
        slots = self.k.shape[0]
        newest = self.length - 1
        at = newest - (newest - torch.arange(slots)) % slots
        return at.clamp_min(-1)

    def attend(self, q: Tensor) -> Tensor:
        """Attention of the newest n >= 1 tokens, q (n, d), each to `window` up to itself.

        Returns o (n, d_v); scores are scaled by 1/sqrt(d).
        Raises LookupError if fewer than n tokens were appended, or if the first of the n would
        see a key that a newer one has replaced.
        """
        n, d = q.shape
        first = getattr(self, 'began', self.length - n)
        first = first if first + n <= self.length else self.length - n
        if first < 0 or max(first - self.window + 1, 0) < self.length - self.k.shape[0]:
            raise LookupError(n)
        at, p = self.positions(), torch.arange(first, first + n)[:, None]
        seen = (at >= 0) & (at <= p) & (at > p - self.window)
        s = (q @ self.k.T * d**-0.5).masked_fill(~seen, float("-inf"))
        return s.softmax(1) @ self.v
