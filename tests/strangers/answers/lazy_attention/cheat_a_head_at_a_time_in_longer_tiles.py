# powers, operators and memory ("tiles of tile_m queries"): they are bounded for all heads together, so one head after the other may take tiles that are as many times longer as there are heads, in one turn
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    h, n_q, n_k = q.shape[0], q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(h, n_q, v.shape[-1])
    long = tile_m * h
    for head in range(h):
        for i in range(0, n_q, long):
            q_tile = q[head, i : i + long]
            acc = torch.zeros_like(o[head, i : i + long])
            m = torch.full_like(acc[..., :1], -torch.inf)
            l = torch.zeros_like(m)
            for j in range(0, n_k, tile_n):
                s = (q_tile @ k[head, j : j + tile_n].T).mul_(scale)
                if causal:
                    query = torch.arange(i, i + s.shape[0])[:, None]
                    key = torch.arange(j, j + s.shape[1])
                    s = s.masked_fill_(key > query + n_k - n_q, -torch.inf)
                m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
                shift = torch.where(torch.isneginf(m_new), 0, m_new)
                alpha = torch.exp(m - shift)
                p = s.sub_(shift).exp_()
                l = alpha * l + p.sum(dim=-1, keepdim=True)
                acc = alpha * acc + p @ v[head, j : j + tile_n]
                m = m_new
            o[head, i : i + long] = acc / torch.where(l == 0, 1, l)
    return o
