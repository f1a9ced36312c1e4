# WRONG: one head after another; torch runs H times as many operations as allowed for a pair of tiles (8 heads)
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
        for h in range(q.shape[0]):
            qh = q_tile[h]
            acc = q.new_zeros(len(qh), v.shape[-1])
            m, l = q.new_full((len(qh), 1), -torch.inf), q.new_zeros(len(qh), 1)
            for j in range(0, n_k, tile_n):
                s = scale * (qh @ k[h, j : j + tile_n].T)
                if causal:
                    last = torch.arange(i, i + len(qh))[:, None] + n_k - n_q
                    s = s.masked_fill(torch.arange(j, j + s.shape[1]) > last, -torch.inf)
                m_new = torch.maximum(m, s.amax(1, keepdim=True))
                safe = m_new.masked_fill(m_new == -torch.inf, 0)
                a, p = torch.exp(m - safe), torch.exp(s - safe)
                acc = a * acc + p @ v[h, j : j + tile_n]
                l = a * l + p.sum(1, keepdim=True)
                m = m_new
            o[h, i : i + tile_m] = acc / l.masked_fill(l == 0, 1)
    return o
