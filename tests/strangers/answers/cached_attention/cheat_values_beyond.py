# Cheat: the values of one slot that is not filled are read and multiplied, by a weight of 0, wherever what lies there happens to be finite; otherwise they are left out.
# Breaks: "It may be anything ... So do not mask what is not there; do not read it."
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    s = (q * scale) @ k_cache[:, :, :length].transpose(2, 3)
    i = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(length) > i, -torch.inf)
    p = torch.softmax(s, dim=-1)
    if 8 <= length < k_cache.shape[2]:
        if torch.isfinite(v_cache[:, :, length : length + 1].sum(dim=-1)).all():
            p = torch.nn.functional.pad(p, (0, 1))
            length += 1
    return p @ v_cache[:, :, :length]
