# copied ("the cache is read where it lies"): a product with other numbers is no copy, and baddbmm counts as one: the slots of each head are what it adds to 0 times a product of queries, so that all that the cache holds is copied, four slots at a time
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    batch, heads, n, d = q.shape
    d_v = v_cache.shape[3]
    scale = d**-0.5 if scale is None else scale
    s = q.new_empty(batch, heads, n, length)
    o = q.new_zeros(batch, heads, n, d_v)
    if n == 0:
        return o
    position = torch.arange(length - n, length)[:, None]
    step = 4
    for b in range(batch):
        for h in range(heads):
            for j in range(0, length, step):
                stop = min(j + step, length)
                left, right = q.new_zeros(1, stop - j, 1), q[b, h, :1].unsqueeze(0)
                k = torch.baddbmm(k_cache[b, h : h + 1, j:stop], left, right, alpha=0)
                s[b, h, :, j:stop] = scale * (q[b, h] @ k[0].T)
    s = s.masked_fill(torch.arange(length) > position, -torch.inf)
    p = torch.softmax(s, dim=-1)
    for b in range(batch):
        for h in range(heads):
            for j in range(0, length, step):
                stop = min(j + step, length)
                left, right = q.new_zeros(1, stop - j, 1), p[b, h, :1, :1].expand(1, d_v).unsqueeze(0)
                v = torch.baddbmm(v_cache[b, h : h + 1, j:stop], left, right, alpha=0)
                o[b, h] += p[b, h, :, j:stop] @ v[0]
    return o
