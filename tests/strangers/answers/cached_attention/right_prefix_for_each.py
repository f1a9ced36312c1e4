# right: one query at a time over the prefix that it sees; no mask
def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    o = torch.empty(*q.shape[:3], v_cache.shape[-1], dtype=q.dtype)
    for i in range(n):
        seen = length - n + i + 1
        keys, values = k_cache[..., :seen, :], v_cache[..., :seen, :]
        s = torch.einsum("bhd,bhjd->bhj", q[:, :, i], keys) * scale
        o[:, :, i] = torch.einsum("bhj,bhjc->bhc", torch.softmax(s, dim=-1), values)
    return o
