# Writes -inf first and scales afterwards: with scale 0 the masked scores become NaN, with a negative scale +inf, so only positive scales work (causal).
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    raw = torch.matmul(q, k.transpose(-2, -1))
    if causal:
        hide = torch.ones_like(raw, dtype=torch.bool).triu(n_k - n_q + 1)
        raw[hide] = -torch.inf
    probs = torch.nan_to_num(torch.softmax(raw * scale, -1))
    return probs @ v
