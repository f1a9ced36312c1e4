# right: o moves by (P V - rowsum(P) o) / l', which is the same mean rewritten; everything is kept transposed, with keys along the rows of S.
def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o_t = q.new_zeros(v.shape[1], n_q)
    m = q.new_full((n_q,), -torch.inf)
    l = q.new_zeros(n_q)
    last_seen = torch.arange(n_k - n_q, n_k, device=q.device)
    for start in range(0, n_k, tile_n):
        keys, values = k[start : start + tile_n], v[start : start + tile_n]
        s_t = scale * torch.mm(keys, q.T)  # (tile_n, N_q)
        if causal:
            places = torch.arange(start, start + len(keys), device=q.device)
            s_t = torch.where(places[:, None] <= last_seen, s_t, -torch.inf)
        top = torch.maximum(m, s_t.amax(dim=0))
        origin = torch.where(torch.isneginf(top), 0.0, top)
        p_t = torch.exp(s_t - origin)
        added = p_t.sum(dim=0)
        l = l * torch.exp(m - origin) + added
        o_t = o_t + (values.T @ p_t - added * o_t) / torch.where(l > 0, l, 1.0)
        m = top
    return o_t.T.contiguous()
