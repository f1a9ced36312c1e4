# The scores of the first of more than five tiles are computed twice, the first time in vain
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
        acc = torch.zeros_like(o[:, i : i + tile_m])
        m = torch.full_like(acc[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            if j == 0 and n_k > 5 * tile_n:
                s = q_tile @ k[:, j : j + tile_n].transpose(1, 2)
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                query = torch.arange(i, i + s.shape[1])[:, None]
                key = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
            alpha = torch.exp(m - shift)
            p = torch.exp(s - shift)
            l = alpha * l + p.sum(dim=-1, keepdim=True)
            acc = alpha * acc + p @ v[:, j : j + tile_n]
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
