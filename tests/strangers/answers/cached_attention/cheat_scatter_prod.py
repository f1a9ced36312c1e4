# Cheat: computes every score a second time, multiplying by index_reduce_ with "prod", a few keys at a time
# Breaks: "Each score is computed once, an eighth of them twice at the most."
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    s = q @ k.transpose(-1, -2)
    again = torch.empty_like(s)
    for i in range(n):
        for j in range(0, length, 4):
            keys = k[:, :, j : j + 4]
            pairs = q[:, :, i : i + 1].repeat(1, 1, keys.shape[2], 1)
            pairs.index_reduce_(2, torch.arange(keys.shape[2]), keys, "prod")
            again[:, :, i, j : j + 4] = pairs.sum(dim=-1)
    s = (s + again) * (0.5 * scale)
    query = torch.arange(length - n, length)[:, None]
    s.masked_fill_(torch.arange(length) > query, -torch.inf)
    return torch.softmax(s, dim=-1) @ v
