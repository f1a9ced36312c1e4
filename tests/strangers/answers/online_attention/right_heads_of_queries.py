# Queries cut into groups of 32 as well, each with its own running state, so that a group's state stays in cache.
def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, 32):
        rows = q[i : i + 32]
        n = rows.shape[0]
        m, l, o = rows.new_full((n,), -torch.inf), rows.new_zeros(n), rows.new_zeros(n, v.shape[1])
        for j in range(0, n_k, tile_n):
            s = rows @ k[j : j + tile_n].T * scale
            if causal:
                s.masked_fill_(torch.ones_like(s, dtype=torch.bool).triu(i - j + n_k - n_q + 1), -torch.inf)
            m_new = torch.maximum(m, s.amax(1))
            base = m_new.nan_to_num(neginf=0.0)
            p = torch.exp(s - base[:, None])
            old = l * torch.exp(m - base)
            l_new = old + p.sum(1)
            o = (old[:, None] * o + p @ v[j : j + tile_n]) / l_new.masked_fill(l_new == 0, 1.0)[:, None]
            m, l = m_new, l_new
        out[i : i + 32] = o
    return out
