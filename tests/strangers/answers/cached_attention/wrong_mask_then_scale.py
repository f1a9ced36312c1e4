# Puts -inf into the scores first and multiplies by the scale afterwards: scale 0 gives NaN and a negative scale turns the future into +inf.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    bias = torch.full((n, length), -torch.inf).triu(length - n + 1)
    scores = q @ k_cache[:, :, :length].mT + bias
    scores *= scale
    return torch.softmax(scores, -1) @ v_cache[:, :, :length]
