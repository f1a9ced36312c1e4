# Right: itertools.product over tile starts, Tensor.narrow, in-place addmm_ into views of the results
from itertools import product

import torch
from torch import Tensor


def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j, i in product(range(0, n_k, tile_n), range(0, n_q, tile_m)):
        M, N = min(tile_m, n_q - i), min(tile_n, n_k - j)
        if causal and j > i + M - 1 + n_k - n_q:
            continue  # nobody sees anything here
        q_i, o_i, do_i, L_i = (x.narrow(0, i, M) for x in (q, o, do, L))
        k_j, v_j = (x.narrow(0, j, N) for x in (k, v))
        s = scale * (q_i @ k_j.mT)
        if causal:
            hidden = torch.arange(j, j + N) > torch.arange(i, i + M)[:, None] + n_k - n_q
            s.masked_fill_(hidden, -torch.inf)
        p = torch.exp(s - torch.where(L_i == -torch.inf, 0.0, L_i)[:, None])
        delta = (o_i * do_i).sum(1, keepdim=True)
        ds = (do_i @ v_j.mT).sub_(delta).mul_(p).mul_(scale)
        dv.narrow(0, j, N).addmm_(p.mT, do_i)
        dk.narrow(0, j, N).addmm_(ds.mT, q_i)
        dq.narrow(0, i, M).addmm_(ds, k_j)
    return dq, dk, dv
