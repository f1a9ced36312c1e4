# copied ("the cache is read where it lies"): what is made of others too counts as a copy only with as many numbers as the argument, and scatter's src may be larger than what is taken of it: windows of two tokens that overlap seem to hold twice as many
def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    nothing = q[:, :, :1, :1].mul(0) if n else q.new_zeros(*q.shape[:2], 1, 1)
    piece = max(1, n)

    def copied(cache, j, stop):
        if stop == cache.shape[2]:
            return cache[:, :, j:stop]
        windows = cache[:, :, j : stop + 1].unfold(2, 2, 1)
        size = (*cache.shape[:2], stop - j, cache.shape[3], 1)
        base = nothing[..., None].expand(size)
        return base.scatter(4, torch.zeros(size, dtype=torch.int64), windows)[..., 0]

    s = q.new_empty(*q.shape[:3], length)
    o = q.new_zeros(*q.shape[:3], v_cache.shape[3])
    for j in range(0, length, piece):
        stop = min(j + piece, length)
        s[..., j:stop] = scale * (q @ copied(k_cache, j, stop).transpose(2, 3))
    position = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(length) > position, -torch.inf)
    p = torch.softmax(s, dim=-1)
    for j in range(0, length, piece):
        stop = min(j + piece, length)
        o += p[..., j:stop] @ copied(v_cache, j, stop)
    return o
