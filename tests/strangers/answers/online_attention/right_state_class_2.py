# style: a class with __slots__ as the running state, __enter__-free, chunks with torch.split
import torch
from torch import Tensor


class OnlineState:
    """The normalised output so far, with its maximum and denominator."""

    __slots__ = ("out", "top", "total")

    def __init__(self, rows: int, width: int, like: Tensor):
        self.out = like.new_zeros(rows, width)
        self.top = like.new_full((rows, 1), -torch.inf)
        self.total = like.new_zeros(rows, 1)

    def absorb(self, scores: Tensor, values: Tensor) -> "OnlineState":
        top = torch.maximum(self.top, scores.amax(dim=1, keepdim=True))
        base = torch.where(torch.isinf(top) & (top < 0), 0.0, top)
        old = self.total * (self.top - base).exp()
        weights = (scores - base).exp()
        total = old + weights.sum(dim=1, keepdim=True)
        self.out = torch.addmm(old * self.out, weights, values) / total.masked_fill(total == 0, 1.0)
        self.top, self.total = top, total
        return self


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    state = OnlineState(n_q, v.shape[1], q)
    start = 0
    for keys, values in zip(k.split(tile_n), v.split(tile_n), strict=True):
        scores = scale * (q @ keys.T)
        if causal:
            last = torch.arange(n_q).unsqueeze(1).add(n_k - n_q)
            scores.masked_fill_(torch.arange(start, start + len(keys)) > last, -torch.inf)
        state.absorb(scores, values)
        start += len(keys)
    return state.out
