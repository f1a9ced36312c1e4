# Masks the raw products with -inf and multiplies by the scale afterwards: a negative scale turns the masked scores into +inf and scale 0 into nan, so causal outputs are nan there.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    att = q @ k.transpose(-2, -1)
    if not causal:
        return torch.softmax(att * scale, dim=-1) @ v
    seen = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).tril(n_k - n_q)
    att = att.masked_fill(~seen, float("-inf"))
    att = torch.softmax(att * scale, dim=-1)
    att = att.masked_fill(~seen, 0.0)  # rows that see nothing were nan
    return att @ v
