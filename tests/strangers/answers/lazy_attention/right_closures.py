# style: nested closures and nonlocal, context-free helper generator for tile bounds
import torch
from torch import Tensor


def _spans(n: int, tile: int):
    """Yield the (start, stop) pairs of consecutive tiles."""
    start = 0
    while start < n:
        yield start, min(start + tile, n)
        start += tile


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    heads, n_q, d = q.shape
    n_k, d_v = k.shape[1], v.shape[2]
    scale = d**-0.5 if scale is None else scale
    shift = n_k - n_q

    def one_tile(i0: int, i1: int) -> Tensor:
        size = i1 - i0
        m = q.new_full((heads, size, 1), -torch.inf)
        l = q.new_zeros(heads, size, 1)
        acc = q.new_zeros(heads, size, d_v)

        def meet(j0: int, j1: int) -> None:
            nonlocal m, l, acc
            s = q[:, i0:i1] @ k[:, j0:j1].mT
            s *= scale
            if causal and j1 - 1 > i0 + shift:
                rows = torch.arange(i0, i1)[:, None] + shift
                s.masked_fill_(torch.arange(j0, j1)[None] > rows, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            base = m_new.masked_fill(m_new == -torch.inf, 0)
            a = torch.exp(m - base)
            p = torch.exp(s - base)
            acc = acc * a + p @ v[:, j0:j1]
            l = l * a + p.sum(dim=-1, keepdim=True)
            m = m_new

        for j0, j1 in _spans(n_k, tile_n):
            if causal and j0 > i1 - 1 + shift:
                break
            meet(j0, j1)
        return acc / l.masked_fill(l == 0, 1)

    o = q.new_empty(heads, n_q, d_v)
    for i0, i1 in _spans(n_q, tile_m):
        o[:, i0:i1] = one_tile(i0, i1)
    return o
