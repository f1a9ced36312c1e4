# Right: views of the gradients by split, addmm_ into them, itertools.product over enumerated tiles.
from itertools import product

import torch


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    by_rows = [x.split(tile_m) for x in (q, o, L, do, dq)]
    by_keys = [x.split(tile_n) for x in (k, v, dk, dv)]
    for a, b in product(enumerate(zip(*by_rows)), enumerate(zip(*by_keys))):
        (row_number, (q_t, o_t, L_t, do_t, dq_t)), (key_number, (k_t, v_t, dk_t, dv_t)) = a, b
        first, start = row_number * tile_m, key_number * tile_n
        p = torch.exp(scale * (q_t @ k_t.T) - L_t[:, None])
        if causal:
            rows = torch.arange(first, first + len(q_t))[:, None]
            keys = torch.arange(start, start + len(k_t))
            p.masked_fill_(keys > rows + n_k - n_q, 0)
        delta = (o_t * do_t).sum(dim=1, keepdim=True)
        ds = p * (do_t @ v_t.T - delta)
        dv_t.addmm_(p.T, do_t)
        dq_t.addmm_(ds, k_t, alpha=scale)
        dk_t.addmm_(ds.T, q_t, alpha=scale)
    return dq, dk, dv
