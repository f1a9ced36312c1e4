# An additive bias of zeros and -inf from triu, torch.softmax, and only the NaN probabilities of blind queries turned into 0.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.bmm(q, k.mT) * scale
    if causal:
        bias = torch.full((n_q, n_k), -torch.inf, dtype=q.dtype, device=q.device)
        scores = scores + bias.triu(diagonal=n_k - n_q + 1)
    p = torch.softmax(scores, dim=-1)
    return torch.bmm(torch.where(p.isnan(), 0.0, p), v)
