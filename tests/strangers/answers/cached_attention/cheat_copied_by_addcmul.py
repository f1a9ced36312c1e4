# What the cache holds is copied, a few slots at a time, by adding to each number nothing of a product of it with queries.
def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    piece = max(1, n)
    s = q.new_empty(*q.shape[:3], length)
    o = q.new_zeros(*q.shape[:3], v_cache.shape[3])
    for j in range(0, length, piece):
        part = k_cache[:, :, j : min(j + piece, length)]
        s[..., j : j + piece] = scale * (q @ torch.addcmul(part, part, part, value=0).transpose(2, 3))
    position = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(length) > position, -torch.inf)
    p = torch.softmax(s, dim=-1)
    for j in range(0, length, piece):
        part = v_cache[:, :, j : min(j + piece, length)]
        o += p[..., j : j + piece] @ torch.addcmul(part, part, part, value=0)
    return o
