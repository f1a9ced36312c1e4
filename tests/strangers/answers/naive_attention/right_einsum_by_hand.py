# einsum for both products and the softmax written out with a guarded maximum
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.einsum("hid,hjd->hij", q, k) * scale
    if causal:
        i = torch.arange(n_q, device=q.device)[:, None]
        j = torch.arange(n_k, device=q.device)[None, :]
        scores = torch.where(j <= i + n_k - n_q, scores, -torch.inf)
    top = scores.amax(dim=-1, keepdim=True)
    top = torch.where(top == -torch.inf, 0.0, top)
    weights = torch.exp(scores - top)
    total = weights.sum(dim=-1, keepdim=True)
    weights = weights / torch.where(total == 0, 1.0, total)
    return torch.einsum("hij,hjc->hic", weights, v)
