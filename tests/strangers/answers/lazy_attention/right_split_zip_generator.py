# Right: tensor.split + zip for tiles, generator of key tiles with offsets, baddbmm, in-place mul_/add_, bool mask
import torch
from torch import Tensor


def _tiles(k, v, width):
    at = 0
    for kk, vv in zip(k.split(width, dim=1), v.split(width, dim=1)):
        yield at, kk, vv
        at += kk.size(1)


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
        H, M, _ = q_tile.shape
        acc = q.new_zeros(H, M, v.size(-1))
        l = q.new_zeros(H, M, 1)
        m = q.new_full((H, M, 1), -torch.inf)
        for j, k_tile, v_tile in _tiles(k, v, tile_n):
            s = torch.bmm(q_tile, k_tile.mT).mul_(scale)
            if causal:
                rows = torch.arange(i, i + M).unsqueeze(1) + (n_k - n_q)
                cols = torch.arange(j, j + k_tile.size(1)).unsqueeze(0)
                s.masked_fill_(cols > rows, -torch.inf)
            m_new = torch.maximum(m, s.amax(-1, keepdim=True))
            ref = m_new.masked_fill(m_new == -torch.inf, 0.0)
            a = (m - ref).exp_()
            p = s.sub_(ref).exp_()
            l.mul_(a).add_(p.sum(-1, keepdim=True))
            acc = torch.baddbmm(acc.mul_(a), p, v_tile)
            m = m_new
        torch.div(acc, l.masked_fill(l == 0, 1.0), out=o[:, i : i + tile_m])
    return o
