# Every append writes the whole ring once more, in place, as it was: work that grows with the slots, and no memory.
import math

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
    but a position for each slot. What comes is written where it belongs; the rest of the ring
    is not copied for it. Each score is computed once.
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
        slots, n = len(self.k), len(k)
        self.k.add_(0.0)
        self.v.add_(0.0)
        skipped = max(n - slots, 0)
        slot = torch.arange(self.length + skipped, self.length + n) % slots
        self.k[slot], self.v[slot] = k[skipped:], v[skipped:]
        self.length += n

    def positions(self) -> Tensor:
        """The position of the token in each slot, -1 where there is none: (slots,) int64."""
        slot, newest = torch.arange(len(self.k)), self.length - 1
        age = (newest - slot) % len(self.k)
        return (newest - age).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        """Attention of the newest n >= 1 tokens, q (n, d), each to `window` up to itself.

        Returns o (n, d_v); scores are scaled by 1/sqrt(d).
        Raises LookupError if fewer than n tokens were appended, or if the first of the n would
        see a key that a newer one has replaced.
        """
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - len(self.k):
            raise LookupError("a key that is needed is not in the cache")
        query, key = torch.arange(first, self.length)[:, None], self.positions()
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        s = (q.shape[-1] ** -0.5 * (q @ self.k.T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ self.v
