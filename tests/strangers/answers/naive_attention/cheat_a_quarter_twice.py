# The scores of a quarter of the keys are computed twice
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k[:, : n_k // 4].transpose(1, 2)
    s = scale * (q @ k.transpose(1, 2))
    if causal:
        query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
        s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
    p = torch.softmax(s, dim=-1)
    p = p.masked_fill(torch.isneginf(s), 0)  # the softmax of a row of -inf is NaN
    return p @ v
