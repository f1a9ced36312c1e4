# Cheat: it multiplies the queries with slots beyond `length` too (an eighth more, rounded lengths suit tiles) and throws those scores away, though nothing beyond may be read.
# Breaks: "length: tokens in the cache ...; what lies beyond is arbitrary" and "So do not mask what is not there; do not read it."
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    read = min(k_cache.shape[2], length + length // 8)
    s = ((q * scale) @ k_cache[:, :, :read].transpose(2, 3))[..., :length]
    i = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(length) > i, -torch.inf)
    return torch.softmax(s, dim=-1) @ v_cache[:, :, :length]
