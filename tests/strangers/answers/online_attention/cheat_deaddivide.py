# Lazy softmax: the unnormalised sum goes from chunk to chunk, and the normalised output of a chunk is only made for show and never continued from.
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
    acc = q.new_zeros(n_q, v.shape[1])
    m = q.new_full((n_q, 1), -torch.inf)
    l = q.new_zeros(n_q, 1)
    o = acc
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[1]) > last, -torch.inf)
        new = torch.maximum(m, s.amax(1, keepdim=True))
        shift = torch.where(new == -torch.inf, 0, new)
        a, p = torch.exp(m - shift), torch.exp(s - shift)
        l = a * l + p.sum(1, keepdim=True)
        acc = a * acc + p @ v[j : j + tile_n]
        o = acc / torch.where(l == 0, 1, l)
        m = new
    return o
