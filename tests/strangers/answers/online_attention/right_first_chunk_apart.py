# The state starts with the first chunk, unguarded: NaN stays where nothing is ever seen, and becomes 0 at the end.
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    state = None
    for j in range(0, n_k, tile_n):
        s = torch.addmm(q.new_zeros(1), q, k[j : j + tile_n].T, alpha=scale)
        if causal:
            s = torch.where(torch.arange(n_q)[:, None] + n_k - n_q >= torch.arange(j, j + s.shape[1]), s, -torch.inf)
        vj = v[j : j + tile_n]
        if state is None:
            m = s.amax(1)
            p = torch.exp(s - m[:, None])
            l = p.sum(1)
            state = p @ vj / l[:, None], m, l
        else:
            state = online_chunk(*state, s, vj)
    return state[0].nan_to_num()
