# einsum and plain exponentials, divided after the product with v; a clamp of the maximum at the smallest float keeps empty rows at 0.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = scale * torch.einsum("hid,hjd->hij", q, k)
    if causal:
        last = torch.arange(n_q, device=q.device) + n_k - n_q
        hidden = torch.arange(n_k, device=q.device)[None, :] > last[:, None]
        scores = scores.masked_fill(hidden, -torch.inf)
    top = scores.amax(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - top)
    total = weights.sum(dim=-1, keepdim=True)
    return torch.einsum("hij,hjv->hiv", weights, v) / total.masked_fill(total == 0, 1)
