# Masks with -1e4 in place of -inf (empty rows are zeroed by hand): where the visible scores are near or below -1e4, large queries and keys with a long scale, hidden keys get weight.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    w = torch.matmul(q, k.mT) * scale
    if causal:
        b = torch.tril(torch.ones(n_q, n_k, device=q.device), diagonal=n_k - n_q)
        w = w * b + -1e4 * (1 - b)
    p = torch.softmax(w, dim=-1)
    o = torch.matmul(p, v)
    if causal and n_q > n_k:
        o[:, : n_q - n_k] = 0
    return o
