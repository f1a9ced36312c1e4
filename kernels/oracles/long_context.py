"""The oracles of `long_context`."""

import torch
from torch import Tensor

from kernels import reference


def banded_with_lse(
    q: Tensor, k: Tensor, v: Tensor, window: int | None = None, sinks: int = 0, scale: float | None = None, **tiles: int
) -> tuple[Tensor, Tensor]:
    """Attention to the keys j <= p of position p with p - j < window or j < sinks; window None: to all j <= p.

    Of one head or of many; tile sizes must not matter.
    """
    n_q, n_k = q.shape[-2], k.shape[-2]
    past = reference.causal_mask(n_q, n_k)
    seen = past.clone()
    if window is not None:
        seen &= ~past.tril(n_k - n_q - window)
        seen[:, :sinks] = past[:, :sinks]
    s = reference.scores(q, k, scale=scale).masked_fill(~seen, -torch.inf)
    return reference.softmax(s) @ v, reference.log_sum_exp(s)


def banded(
    q: Tensor, k: Tensor, v: Tensor, window: int | None = None, sinks: int = 0, scale: float | None = None
) -> Tensor:
    return banded_with_lse(q, k, v, window, sinks, scale)[0]


def in_chunks(q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None) -> Tensor:
    """All queries at once: the chunk size must not matter."""
    return banded(q, k, v, scale=scale)


def banded_in_chunks(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, window: int, sinks: int = 0, scale: float | None = None
) -> Tensor:
    return banded(q, k, v, window, sinks, scale)


class Remembers:
    """What a rolling cache should answer, by one that forgets nothing and refuses what the ring could not know."""

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.slots, self.window = slots, window
        self.keys = [torch.empty(0, d)]  # and what each append brought
        self.values = [torch.empty(0, d_v)]
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        self.keys.append(k)
        self.values.append(v)
        self.length += len(k)

    def positions(self) -> Tensor:
        held = [-1] * self.slots
        for position in range(self.length):
            held[position % self.slots] = position
        return torch.tensor(held)

    def ring(self, appended: list[Tensor]) -> Tensor:
        """The slots, NaN where there is no token."""
        position = self.positions()
        held = torch.cat(appended)[position] if self.length else appended[0].new_empty(self.slots, appended[0].shape[1])
        return held.masked_fill(position[:, None] < 0, torch.nan)

    @property
    def k(self) -> Tensor:
        return self.ring(self.keys)

    @property
    def v(self) -> Tensor:
        return self.ring(self.values)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - len(q)
        needed = range(max(first - self.window + 1, 0), self.length)
        if first < 0 or len(needed) > self.slots:
            raise LookupError
        return banded(q, torch.cat(self.keys), torch.cat(self.values), self.window)
