# scales the caller's q in place; the output is right, but q is no longer what it was
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    q *= scale
    s = q @ k.transpose(-1, -2)
    if causal:
        rows = torch.arange(n_q, device=q.device).view(-1, 1) + (n_k - n_q)
        s = s.masked_fill(torch.arange(n_k, device=q.device) > rows, -torch.inf)
    p = torch.softmax(s, dim=-1)
    return p.nan_to_num(0.0) @ v
