# tiles of tile_m x tile_n: neither is looked at; one query at a time with all of its keys
import torch


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        seen = max(0, i + 1 + n_k - n_q) if causal else n_k
        if seen:
            p = torch.exp(scale * (k[:seen] @ q[i]) - L[i])
            ds = scale * p * (v[:seen] @ do[i] - (do[i] * o[i]).sum())
            dv[:seen].addr_(p, do[i])
            dk[:seen].addr_(ds, q[i])
            dq[i] = ds @ k[:seen]
    return dq, dk, dv
