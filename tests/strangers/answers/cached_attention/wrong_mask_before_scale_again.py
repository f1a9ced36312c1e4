# Wrong: adds the -inf mask to the raw scores and scales afterwards, so a negative scale turns hidden keys into +inf and scale 0 into NaN; fine for every positive scale (n >= 2 shows it).
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    bias = torch.full((n, length), float("-inf")).triu(length - n + 1)
    scores = torch.matmul(q, k_cache.narrow(2, 0, length).mT) + bias
    return torch.matmul(torch.softmax(scale * scores, dim=-1), v_cache.narrow(2, 0, length))
