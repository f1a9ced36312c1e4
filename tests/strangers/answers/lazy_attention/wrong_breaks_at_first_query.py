# Leaves the key loop as soon as the tile lies behind the last key of the FIRST query of the tile; later queries of the tile miss visible keys when tile_n is smaller than tile_m or the tiles do not line up with the diagonal (equal tiles with N_q = N_k pass).
def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        heads, height = q_tile.shape[0], q_tile.shape[1]
        m = q.new_full((heads, height), -torch.inf)
        l = q.new_zeros(heads, height)
        acc = q.new_zeros(heads, height, v.shape[-1])
        diagonal = i + n_k - n_q
        for j in range(0, n_k, tile_n):
            if causal and j > diagonal:
                break
            S = torch.einsum("hid,hjd->hij", q_tile, k[:, j : j + tile_n]) * scale
            if causal:
                S = S.masked_fill(
                    torch.ones_like(S[0], dtype=torch.bool).triu(diagonal - j + 1), -torch.inf
                )
            M = torch.maximum(m, S.amax(-1))
            base = torch.where(M == -torch.inf, torch.zeros_like(M), M)
            P = torch.exp(S - base[..., None])
            alpha = torch.exp(m - base)
            m, l = M, alpha * l + P.sum(-1)
            acc = alpha[..., None] * acc + torch.einsum("hij,hje->hie", P, v[:, j : j + tile_n])
        o[:, i : i + tile_m] = acc / torch.where(l > 0, l, torch.ones_like(l))[..., None]
    return o
