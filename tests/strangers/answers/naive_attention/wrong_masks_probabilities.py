# Softmax over all keys first, then multiplies by the mask and renormalises: where a hidden key's score exceeds the visible ones by more than about 100, the visible weights have already underflowed and the query gives zeros.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    att = torch.softmax((q @ k.transpose(1, 2)) * scale, dim=2)
    if causal:
        att = att * torch.ones(n_q, n_k, device=q.device).tril(n_k - n_q)
        att = att / att.sum(dim=2, keepdim=True).clamp_min(torch.finfo(att.dtype).tiny)
    return att @ v
