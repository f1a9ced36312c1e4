# Wrong: a tile whose first key is seen by the last query of the tile alone is skipped (>= for >).
# Breaks: "causal: query i sees keys j <= i + N_k - N_q."
import torch


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    delta = (o * do).sum(dim=1)
    for j in range(0, n_k, tile_n):
        for i in range(0, n_q, tile_m):
            rows, cols = slice(i, i + tile_m), slice(j, j + tile_n)
            # whole tile above the diagonal: skip; last query of the tile is i + tile_m - 1
            if causal and j >= i + tile_m - 1 + n_k - n_q:
                continue
            mask = None
            if causal:
                mask = torch.arange(n_k)[cols] <= torch.arange(n_q)[rows][:, None] + n_k - n_q
            p = recompute_probabilities(q[rows], k[cols], L[rows], mask, scale)
            ds = p * (do[rows] @ v[cols].T - delta[rows][:, None])
            dq[rows] += scale * ds @ k[cols]
            dk[cols] += scale * ds.T @ q[rows]
            dv[cols] += p.T @ do[rows]
    return dq, dk, dv
