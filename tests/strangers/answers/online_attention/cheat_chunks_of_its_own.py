# memory: chunks of at least 128 keys whatever tile_n is: all scores at once where there are few keys
def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    tile_n = max(tile_n, 128)
    m, l, o = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q), q.new_zeros(n_q, v.shape[1])
    for j in range(0, n_k, tile_n):
        s = q @ k[j : j + tile_n].T * scale
        if causal:
            s.masked_fill_(torch.ones_like(s, dtype=torch.bool).triu(-j + n_k - n_q + 1), -torch.inf)
        m_new = torch.maximum(m, s.amax(1))
        base = m_new.nan_to_num(neginf=0.0)
        p = torch.exp(s - base[:, None])
        old = l * torch.exp(m - base)
        l = old + p.sum(1)
        o = (old[:, None] * o + p @ v[j : j + tile_n]) / l.masked_fill(l == 0, 1.0)[:, None]
        m = m_new
    return o
