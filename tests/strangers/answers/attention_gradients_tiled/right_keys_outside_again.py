# Right: keys outside, delta per tile of queries, unseen tiles skipped by a comparison with the last query, safe L.
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
    ahead = n_k - n_q
    for j in range(0, n_k, tile_n):
        kj, vj = k[j : j + tile_n], v[j : j + tile_n]
        for i in range(0, n_q, tile_m):
            rows = min(tile_m, n_q - i)
            if causal and j > i + rows - 1 + ahead:
                continue
            qi, oi, gi, Li = (x[i : i + rows] for x in (q, o, do, L))
            s = torch.mm(qi, kj.t()).mul_(scale).sub_(Li[:, None])
            if causal:
                col = torch.arange(j, j + len(kj), device=q.device)
                row = torch.arange(i, i + rows, device=q.device)
                s = torch.where(col[None, :] <= row[:, None] + ahead, s, -torch.inf)
            p = s.exp()
            dv[j : j + tile_n] += p.t() @ gi
            ds = p * (gi @ vj.t() - (gi * oi).sum(1, keepdim=True))
            dq[i : i + rows] += (ds @ kj) * scale
            dk[j : j + tile_n] += (ds.t() @ qi) * scale
    return dq, dk, dv
