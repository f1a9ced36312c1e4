# Masks with -1e4 in place of -inf (GPT-2 style): when all visible scores lie below -10000 the future gets the weight.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    w = torch.matmul(q, k.transpose(-1, -2)) * scale
    b = torch.ones(n, length).tril(diagonal=length - n)
    w = w * b - 1e4 * (1 - b)
    return torch.matmul(w.softmax(dim=-1), v)
