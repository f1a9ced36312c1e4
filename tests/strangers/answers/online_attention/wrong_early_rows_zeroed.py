# Sets the first N_q - N_k rows to zero at the end, causal or not.
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            s.masked_fill_(torch.arange(j, j + s.shape[1]) > torch.arange(n_k - n_q, n_k)[:, None], -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    if n_q > n_k:
        o[: n_q - n_k] = 0
    return o
