# The scale multiplies the difference from the maximum of q k^T, FlashAttention's fused multiply: a negative scale turns the order round, and exp overflows.
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    c = q.shape[-1] ** -0.5 if scale is None else scale
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    for j in range(0, n_k, tile_n):
        x = q @ k[j : j + tile_n].T
        seen = torch.arange(j, j + x.shape[1]) <= torch.arange(n_q)[:, None] + n_k - n_q if causal else torch.ones_like(x, dtype=torch.bool)
        new = torch.maximum(m, x.masked_fill(~seen, -torch.inf).amax(1, keepdim=True))
        base = torch.where(new == -torch.inf, 0, new)
        p = torch.where(seen, torch.exp((x - base) * c), 0)
        old = torch.where(m == -torch.inf, 0, torch.exp((m - base) * c)) * l
        l = old + p.sum(1, keepdim=True)
        o = (old * o + p @ v[j : j + tile_n]) / torch.where(l == 0, 1, l)
        m = new
    return o
