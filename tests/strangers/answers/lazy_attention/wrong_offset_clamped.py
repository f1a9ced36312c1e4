# Clamps N_k - N_q to 0 from below: more queries than keys see too much.
import torch
from torch import Tensor


def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    factor = d**-0.5 if scale is None else scale

    def pieces(n, size):
        yield from ((at, min(at + size, n)) for at in range(0, n, size))

    o = v.new_zeros(heads, n_q, v.shape[2])
    for a, b in pieces(n_q, tile_m):
        acc = v.new_zeros(heads, b - a, v.shape[2])
        m = v.new_full((heads, b - a, 1), float("-inf"))
        l = v.new_zeros(heads, b - a, 1)
        for c, e in pieces(n_k, tile_n):
            s = torch.bmm(q[:, a:b], k[:, c:e].mT).mul_(factor)
            if causal:
                late = torch.arange(c, e)[None, :] > torch.arange(a, b)[:, None] + max(n_k - n_q, 0)
                s.masked_fill_(late, float("-inf"))
            top = torch.maximum(m, s.amax(2, keepdim=True))
            base = torch.nan_to_num(top, neginf=0.0)
            alpha = torch.exp(m - base)
            s.sub_(base).exp_()
            l = l * alpha + s.sum(2, keepdim=True)
            acc = torch.baddbmm(acc * alpha, s, v[:, c:e])
            m = top
        o[:, a:b] = torch.where(l > 0, acc / l, 0)
    return o
