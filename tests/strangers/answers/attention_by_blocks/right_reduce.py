# style: functional: a generator of block results, functools.reduce over a merge of (o, L)
import functools

import torch
from torch import Tensor


def _merge(a, b):
    (o1, L1), (o2, L2) = a, b
    top = torch.maximum(L1, L2)
    unit = top.masked_fill(top == -torch.inf, 0)
    w1, w2 = torch.exp(L1 - unit), torch.exp(L2 - unit)
    w = w1 + w2
    safe = w.masked_fill(w == 0, 1)
    return (w1 / safe)[:, None] * o1 + (w2 / safe)[:, None] * o2, unit + torch.log(w)


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    if scale is None:
        scale = 1 / q.shape[1] ** 0.5
    first_hidden = torch.arange(n_q).add(n_k - n_q + 1)

    def block(b):
        here = slice(b * tile_n, min(b * tile_n + tile_n, n_k))
        s = (q * scale) @ k[here].T
        if causal:
            s[torch.arange(here.start, here.stop)[None, :] >= first_hidden[:, None]] = -torch.inf
        m = s.amax(1).clamp_min(torch.finfo(s.dtype).min)
        p = s.sub_(m[:, None]).exp_()
        l = p.sum(1)
        return (p @ v[here]) / l.masked_fill(l == 0, 1)[:, None], m + l.log()

    nothing = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf)
    return functools.reduce(_merge, map(block, order), nothing)
