# collects a full dq for every tile of keys in a list and sums the stack at the end: values right, memory grows by N_q d for each tile of keys
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
    shares = []
    for j in range(0, n_k, tile_n):
        kj, vj = k[j : j + tile_n], v[j : j + tile_n]
        share = []
        for i in range(0, n_q, tile_m):
            qi, doi, Li = q[i : i + tile_m], do[i : i + tile_m], L[i : i + tile_m, None]
            p = (scale * qi @ kj.T - Li).exp()
            p = p.masked_fill(Li == -torch.inf, 0)
            if causal:
                p = p.masked_fill(torch.ones_like(p).triu(i + n_k - n_q - j + 1) > 0, 0)
            ds = scale * p * (doi @ vj.T - (doi * o[i : i + tile_m]).sum(1, keepdim=True))
            share.append(ds @ kj)
            dk[j : j + tile_n] += ds.T @ qi
            dv[j : j + tile_n] += p.T @ doi
        shares.append(torch.cat(share))
    return torch.stack(shares).sum(dim=0), dk, dv
