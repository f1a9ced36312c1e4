# style: itertools.product over tiles, slice objects, partial
from functools import partial
from itertools import product

import torch
from torch import Tensor


def _slices(n: int, tile: int) -> list[slice]:
    return [slice(a, min(a + tile, n)) for a in range(0, n, tile)]


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
    dq, dk, dv = map(torch.zeros_like, (q, k, v))
    delta = torch.sum(o * do, dim=-1, keepdim=True)
    finite = L.masked_fill(L == -torch.inf, 0).unsqueeze(-1)
    arange = partial(torch.arange, dtype=torch.int64)
    for rows, cols in product(_slices(n_q, tile_m), _slices(n_k, tile_n)):
        if causal and cols.start > rows.stop - 1 + n_k - n_q:
            continue  # hidden whole
        p = (scale * (q[rows] @ k[cols].T) - finite[rows]).exp()
        if causal:
            seen = arange(cols.start, cols.stop) <= arange(rows.start, rows.stop)[:, None] + n_k - n_q
            p = torch.where(seen, p, 0.0)
        dv[cols] += p.T @ do[rows]
        ds = p * (do[rows] @ v[cols].T - delta[rows])
        dq[rows] += scale * ds @ k[cols]
        dk[cols] += scale * ds.T @ q[rows]
    return dq, dk, dv
