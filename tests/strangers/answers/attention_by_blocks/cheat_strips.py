# Cheat: goes by strips of few queries with the scores of all visited keys in them (as many numbers as a block would have), so that a row gets one plain softmax and no block is ever merged with another.
# Breaks: "Attention of one head, one block of keys at a time, the blocks visited in any order." ("Start from the identity, merge one block after the other")
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    blocks = [(b * tile_n, min((b + 1) * tile_n, n_k)) for b in order]
    blocks = [(a, b) for a, b in blocks if a < b]
    width = sum(b - a for a, b in blocks)
    height = max(1, n_q * tile_n // max(width, 1))
    o, L = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf)
    for i in range(0, n_q, height):
        rows = min(height, n_q - i)
        strip = q.new_empty(rows, width)
        at = 0
        last = torch.arange(i, i + rows)[:, None] + n_k - n_q
        for a, b in blocks:
            S = strip[:, at : at + b - a]
            S[:] = q[i : i + rows] @ k[a:b].T
            S *= scale
            if causal:
                S.masked_fill_(torch.arange(a, b) > last, -torch.inf)
            at += b - a
        m = strip.amax(dim=1)
        shift = m.masked_fill(m == -torch.inf, 0)
        strip -= shift[:, None]
        strip.exp_()
        l = strip.sum(dim=1)
        L[i : i + rows] = m + torch.log(l)
        at = 0
        out = o[i : i + rows]
        for a, b in blocks:
            out += strip[:, at : at + b - a] @ v[a:b]
            at += b - a
        out /= l.masked_fill(l == 0, 1)[:, None]
    return o, L
