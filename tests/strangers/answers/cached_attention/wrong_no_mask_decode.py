# Style: llama.cpp port, "the causal mask is needed only in prefill": masks only where n == length; wrong where several new tokens stand after a past.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    keys, values = k_cache[:, :, :length], v_cache[:, :, :length]
    S = (q @ keys.mT) * scale
    here = torch.arange(length - n, length).unsqueeze(1)
    if n == length:
        S = S.masked_fill(torch.arange(length) > here, float("-inf"))
    return torch.softmax(S, dim=-1) @ values
