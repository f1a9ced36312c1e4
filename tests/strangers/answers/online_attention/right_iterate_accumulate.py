# Right: itertools.accumulate over chunks with an initial state; last element by deque(maxlen=1); slices as objects
from collections import deque
from itertools import accumulate

import torch
from torch import Tensor


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
    rows = torch.arange(n_q).view(-1, 1) + (n_k - n_q)

    def step(state, cols: slice):
        o, m, l = state
        s = scale * (q @ k[cols].T)
        if causal:
            s = s.where(torch.arange(cols.start, cols.stop) <= rows, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        ref = m_new.where(m_new > -torch.inf, 0.0)
        p = torch.exp(s - ref)
        past = l * torch.exp(m - ref)
        l_new = past + p.sum(dim=-1, keepdim=True)
        o = (past * o + p @ v[cols]) / l_new.where(l_new > 0, 1.0)
        return o, m_new, l_new

    chunks = (slice(j, min(j + tile_n, n_k)) for j in range(0, n_k, tile_n))
    start = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    ((o, _, _),) = deque(accumulate(chunks, step, initial=start), maxlen=1)
    return o
