# A class holds acc, m and l; key tiles are visited from the last to the first, with in-place updates.
import torch
from torch import Tensor


class _Rows:
    def __init__(self, heads, rows, d_v, like):
        self.acc = like.new_zeros(heads, rows, d_v)
        self.m = like.new_full((heads, rows, 1), -torch.inf)
        self.l = like.new_zeros(heads, rows, 1)

    def meet(self, s, v):
        m = torch.maximum(self.m, s.amax(dim=2, keepdim=True))
        base = m.masked_fill(m == -torch.inf, 0.0)
        p = s.sub_(base).exp_()
        a = (self.m - base).exp_()
        self.l.mul_(a).add_(p.sum(dim=2, keepdim=True))
        self.acc.mul_(a).add_(p @ v)
        self.m = m

    def finish(self):
        return self.acc.div_(self.l.masked_fill(self.l == 0, 1.0))


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = q_tile.shape[1]
        state = _Rows(q.shape[0], rows, v.shape[-1], q)
        for j in reversed(range(0, n_k, tile_n)):
            s = (q_tile @ k[:, j : j + tile_n].mT).mul_(scale)
            if causal and j + s.shape[2] - 1 > i + n_k - n_q:
                see = torch.arange(i, i + rows)[:, None] + n_k - n_q
                s.masked_fill_(torch.arange(j, j + s.shape[2]) > see, -torch.inf)
            state.meet(s, v[:, j : j + tile_n])
        o[:, i : i + tile_m] = state.finish()
    return o
