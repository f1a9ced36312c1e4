# Cheat: copies all keys and values of the cache, piece by piece, as the maximum over an expanded axis
# Breaks: "the cache is read where it lies"
def copied(x: Tensor) -> Tensor:
    """A copy of x: the larger of each number and itself."""
    return x.unsqueeze(-1).expand(*x.shape, 2).amax(dim=-1)


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    step = 8
    s = q.new_empty(*q.shape[:3], length)
    for j in range(0, length, step):
        keys = copied(k_cache[:, :, j : min(j + step, length)])
        s[..., j : j + step] = q @ keys.transpose(-1, -2)
    s *= scale
    query = torch.arange(length - n, length)[:, None]
    s.masked_fill_(torch.arange(length) > query, -torch.inf)
    p = torch.softmax(s, dim=-1)
    o = q.new_zeros(*q.shape[:3], v_cache.shape[3])
    for j in range(0, length, step):
        values = copied(v_cache[:, :, j : min(j + step, length)])
        o += p[..., j : j + step] @ values
    return o
