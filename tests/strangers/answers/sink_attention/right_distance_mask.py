# One matrix of distances from position to position, three comparisons.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    back = torch.arange(n_k - n_q, n_k)[:, None] - torch.arange(n_k)
    s = (q @ k.T) * scale
    s[(back < 0) | ((back >= window) & (torch.arange(n_k) >= sinks))] = -torch.inf
    return torch.softmax(s, dim=1) @ v
