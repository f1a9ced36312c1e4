# masks first and scales afterwards: with scale = 0 or a negative scale the masked entries become nan or +inf, and nan_to_num turns every query with a masked key into zeros
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.mT
    if causal:
        visible = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).tril(n_k - n_q)
        s[:, ~visible] = -torch.inf
    s = s * scale
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
