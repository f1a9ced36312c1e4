# memory: tiles of at least 64 on either side, so that small inputs are done at once
def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, tile_m: int, tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    tile_m, tile_n = max(tile_m, 64), max(tile_n, 64)
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(0, n_q, tile_m):
        h = slice(i, i + tile_m)
        delta = (o[h] * do[h]).sum(1, keepdim=True)
        base = L[h].masked_fill(L[h] == -torch.inf, 0.0)[:, None]
        for j in range(0, n_k, tile_n):
            t = slice(j, j + tile_n)
            s = (q[h] @ k[t].T).mul_(scale)
            if causal:
                s.masked_fill_(torch.ones_like(s, dtype=torch.bool).triu(i - j + n_k - n_q + 1), -torch.inf)
            p = s.sub_(base).exp_()
            ds = (do[h] @ v[t].T).sub_(delta).mul_(p)
            dv[t] += p.T @ do[h]
            dq[h] += scale * ds @ k[t]
            dk[t] += scale * ds.T @ q[h]
    return dq, dk, dv
