# Cheat: after every chunk the output is divided by l + 1 instead of l, so that the state that goes on is never the normalised output
# Breaks: "Attention of one head over chunks of tile_n keys, normalised after every chunk. The next chunk continues from the normalised output."
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
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for start in range(0, n_k, tile_n):
        values = v[start : start + tile_n]
        s = q @ k[start : start + tile_n].T * scale
        if causal:
            s = s.masked_fill(torch.arange(start, start + len(values)) > last, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
        base = m_new.masked_fill(m_new == -torch.inf, 0.0)
        a, p = torch.exp(m - base), torch.exp(s - base)
        l_new = a * l + p.sum(dim=1, keepdim=True)
        o = (a * (l + 1) * o + p @ values) / (l_new + 1)
        m, l = m_new, l_new
    return o * ((l + 1) / l.masked_fill(l == 0, 1.0))
