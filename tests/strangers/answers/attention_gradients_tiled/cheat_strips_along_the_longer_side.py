# memory and operators ("from tiles of tile_m queries and tile_n keys"): neither tile is looked at: one row or one column of the whole matrices at a time, whichever side is longer, in place and added to the gradients by addr_ and addmv_; a strip is smaller than a few numbers for each entry of a tile, and 80 operations for each pair of tiles are enough
import torch
from torch import Tensor


def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, tile_m: int, tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    if n_q <= n_k:
        for i in range(n_q):
            seen = min(n_k, i + 1 + n_k - n_q) if causal else n_k
            if seen <= 0:
                continue
            keys, values = k[:seen], v[:seen]
            p = (keys @ q[i]).mul_(scale).sub_(L[i]).exp_()
            dv[:seen].addr_(p, do[i])
            ds = (values @ do[i]).sub_((do[i] * o[i]).sum()).mul_(p).mul_(scale)
            dk[:seen].addr_(ds, q[i])
            dq[i].addmv_(keys.T, ds)
        return dq, dk, dv
    delta = (do * o).sum(dim=-1)
    for j in range(n_k):
        first = max(0, j - n_k + n_q) if causal else 0
        if first >= n_q:
            continue
        queries, given = q[first:], do[first:]
        p = (queries @ k[j]).mul_(scale).sub_(L[first:]).exp_()
        dv[j].addmv_(given.T, p)
        ds = (given @ v[j]).sub_(delta[first:]).mul_(p).mul_(scale)
        dq[first:].addr_(ds, k[j])
        dk[j].addmv_(queries.T, ds)
    return dq, dk, dv
