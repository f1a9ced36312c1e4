# Keeps the maximum of q k^T and scales in the exponent, which overflows where a negative scale turns the order round.
def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    c = q.shape[1] ** -0.5 if scale is None else scale
    num, top, den = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    row = torch.arange(n_k - n_q, n_k)[:, None]
    for b in order:
        part = slice(b * tile_n, (b + 1) * tile_n)
        x = q @ k[part].T
        seen = torch.arange(b * tile_n, b * tile_n + x.shape[1]) <= row if causal else torch.ones_like(x, dtype=torch.bool)
        new = torch.maximum(top, x.where(seen, -torch.inf).amax(1, keepdim=True))
        base = new.where(new > -torch.inf, 0)
        p = torch.exp(c * (x - base)).where(seen, 0)
        f = torch.exp(c * (top - base)).where(top > -torch.inf, 0)
        num, den, top = f * num + p @ v[part], f * den + p.sum(1, keepdim=True), new
    L = torch.where(den > 0, c * top.where(den > 0, 0) + den.log(), -torch.inf)
    return num / den.where(den > 0, 1), L[:, 0]
