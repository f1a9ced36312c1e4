# scores with matmul, triu mask, library softmax, and zeros for rows without any key
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.transpose(1, 2))
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).triu(n_k - n_q + 1)
        s = s.masked_fill(hidden, float("-inf"))
        p = torch.softmax(s, dim=-1).masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    else:
        p = torch.softmax(s, dim=-1)
    return p @ v
