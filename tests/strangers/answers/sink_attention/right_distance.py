# one integer matrix of distances, and a predicate on it
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    key = torch.arange(n_k, device=q.device)
    distance = torch.arange(n_k - n_q, n_k, device=q.device)[:, None] - key
    allowed = (distance >= 0) & (distance.lt(window) | key.lt(sinks))
    scores = (q @ k.T * scale).where(allowed, -torch.inf)
    return scores.softmax(dim=-1) @ v
