# torch.split views, keys outside, addmm_ on the slices, delta by einsum once for all rows.
import torch
from torch import Tensor


def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor,
    tile_m: int, tile_n: int, causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    delta = torch.einsum("ic,ic->i", o, do)
    base = torch.where(L == -torch.inf, 0.0, L)
    for j, (kt, vt, dkt, dvt) in enumerate(zip(*(x.split(tile_n) for x in (k, v, dk, dv)))):
        columns = torch.arange(len(kt)) + j * tile_n
        for i, (qt, dot, dqt, bt, et) in enumerate(zip(*(x.split(tile_m) for x in (q, do, dq, base, delta)))):
            s = torch.mm(qt, kt.T).mul_(scale).sub_(bt[:, None])
            if causal:
                rows = torch.arange(len(qt)) + i * tile_m
                s.masked_fill_(columns > rows[:, None] + (n_k - n_q), -torch.inf)
            p = s.exp_()
            dvt.addmm_(p.T, dot)
            ds = torch.mm(dot, vt.T).sub_(et[:, None]).mul_(p)
            dqt.addmm_(ds, kt, alpha=scale)
            dkt.addmm_(ds.T, qt, alpha=scale)
    return dq, dk, dv
