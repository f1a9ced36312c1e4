# Cheat: all scores are measured from the mean of all keys, those of unvisited blocks too, which the softmax does not notice and L is given back
# Breaks: "keys of other blocks are not seen"
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
    scale = q.shape[1] ** -0.5 if scale is None else scale
    middle = k.nanmean(dim=0)  # of all blocks; numbers that are missing do not count
    acc = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for block in order:
        start = block * tile_n
        keys, values = k[start : start + tile_n], v[start : start + tile_n]
        s = q @ (keys - middle).T * scale
        if causal:
            s = s.masked_fill(torch.arange(start, start + len(keys)) > last, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
        base = m_new.masked_fill(m_new == -torch.inf, 0.0)
        a, p = torch.exp(m - base), torch.exp(s - base)
        acc = a * acc + p @ values
        l = a * l + p.sum(dim=1, keepdim=True)
        m = m_new
    L = m + torch.log(l) + (q @ middle * scale)[:, None]
    return acc / l.masked_fill(l == 0, 1.0), L[:, 0]
