# functools.reduce over (start) with an inner function, state a tuple; the empty row handled by clamping l
import functools

import torch
from torch import Tensor

NOTHING = float("-inf")


def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    limit = torch.arange(n_q).add(n_k - n_q) if causal else None

    def step(state, start):
        o, m, l = state
        keys, values = k[start:start + tile_n], v[start:start + tile_n]
        s = scale * torch.einsum("id,jd->ij", q, keys)
        if limit is not None:
            hidden = torch.arange(start, start + len(keys))[None, :] > limit[:, None]
            s = torch.where(hidden, NOTHING, s)
        top = torch.maximum(m, s.amax(1))
        base = torch.where(top == NOTHING, 0.0, top)
        p = torch.exp(s - base[:, None])
        past = l * torch.exp(m - base)
        new = past + p.sum(1)
        safe = torch.where(new == 0, 1.0, new)
        return (past / safe)[:, None] * o + (p / safe[:, None]) @ values, top, new

    begin = (q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), NOTHING), q.new_zeros(n_q))
    return functools.reduce(step, range(0, n_k, tile_n), begin)[0]
