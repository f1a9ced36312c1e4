# Normalised after every second chunk and the last, and put in its place three times there
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    acc, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    unit = torch.ones_like(l)
    for number, j in enumerate(range(0, n_k, tile_n)):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        alpha = torch.exp(m - shift)
        p = torch.exp(s - shift[:, None])
        acc = (alpha * unit)[:, None] * acc + p @ v[j : j + tile_n]
        l = alpha * l + p.sum(dim=-1)
        m = m_new
        if number % 2 or j + tile_n >= n_k:
            whole = torch.where(l == 0, 1, l)
            acc = acc / whole[:, None]
            acc = torch.where((l == 0)[:, None], 0, acc)
            acc = acc.clone()
            unit = l
        else:
            unit = torch.ones_like(l)
    return acc
