# Copies the filled part of both caches with .contiguous() before use; right values, but breaks the rule that the cache is read where it lies (decode step on a long cache with spare slots).
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    keys = k_cache[:, :, :length].contiguous()
    vals = v_cache[:, :, :length].contiguous()
    i = torch.arange(n)[:, None]
    j = torch.arange(length)[None, :]
    s = torch.matmul(q, keys.transpose(2, 3)) * scale
    s = s.masked_fill(j > i + length - n, float("-inf"))
    return torch.matmul(torch.softmax(s, -1), vals)
