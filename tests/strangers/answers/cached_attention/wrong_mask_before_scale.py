# Wrong: fills masked scores with -inf BEFORE multiplying by scale, so a negative scale turns them into +inf and scale 0 into NaN (several new tokens, scale <= 0); positive scales are right.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    att = q @ k.transpose(-2, -1)
    if n > 1:
        bias = torch.ones(n, length, dtype=torch.bool, device=q.device).tril(length - n)
        att = att.masked_fill(bias.logical_not(), float("-inf"))
    att = torch.softmax(att * scale, dim=-1)
    return att @ v
