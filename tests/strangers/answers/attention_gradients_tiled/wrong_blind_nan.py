# WRONG: exp(S - L) times the mask: rows with L = -inf are inf * 0 = nan and spoil dk, dv; causal with N_q > N_k
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
    delta = (do * o).sum(dim=1, keepdim=True)
    for i in range(0, n_q, tile_m):
        a = slice(i, min(i + tile_m, n_q))
        for j in range(0, n_k, tile_n):
            b = slice(j, min(j + tile_n, n_k))
            if causal and j > a.stop - 1 + n_k - n_q:
                break
            p = torch.exp(scale * q[a] @ k[b].T - L[a, None])
            if causal:
                p = p * (torch.arange(j, b.stop) <= torch.arange(i, a.stop)[:, None] + n_k - n_q)
            ds = p * (do[a] @ v[b].T - delta[a])
            dv[b] += p.T @ do[a]
            dk[b] += scale * ds.T @ q[a]
            dq[a] += scale * ds @ k[b]
    return dq, dk, dv
