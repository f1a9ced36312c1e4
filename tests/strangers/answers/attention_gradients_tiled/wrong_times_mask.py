# Multiplies by the mask after exp, with L = -inf mended: what is hidden and hundreds higher is infinity, and infinity times 0 is NaN.
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
    for j in range(0, n_k, tile_n):
        keys = slice(j, min(j + tile_n, n_k))
        for i in range(0, n_q, tile_m):
            queries = slice(i, min(i + tile_m, n_q))
            mask = None
            if causal:
                last_seen = torch.arange(i, queries.stop)[:, None] + n_k - n_q
                mask = torch.arange(j, keys.stop) <= last_seen
            p = torch.exp(scale * (q[queries] @ k[keys].T) - L[queries].nan_to_num(neginf=0.0)[:, None])
            p = p if mask is None else p * mask
            ds = score_gradients(p, v[keys], o[queries], do[queries])
            dv[keys] += p.T @ do[queries]
            dk[keys] += scale * (ds.T @ q[queries])
            dq[queries] += scale * (ds @ k[keys])
    return dq, dk, dv
