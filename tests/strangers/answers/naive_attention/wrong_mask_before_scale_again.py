# Fills in -inf before it multiplies by the scale, so a causal call with a negative scale makes +inf of it and with scale 0 makes NaN, which nan_to_num then hides as zeros.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    att = torch.bmm(q, k.transpose(1, 2))
    if causal:
        future = torch.ones(n_q, n_k, device=q.device).triu(n_k - n_q + 1).bool()
        att = att.masked_fill(future, float("-inf"))
    att = torch.softmax(att * scale, dim=-1)
    att = torch.nan_to_num(att, nan=0.0)  # rows without keys
    return torch.bmm(att, v)
