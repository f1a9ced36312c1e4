# The sentence of the lesson as one boolean expression.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k, device=q.device)[:, None]
    j = torch.arange(n_k, device=q.device)
    seen = (j <= p) & ((j > p - window) | (j < sinks))
    s = (q @ k.T * scale).masked_fill(~seen, -torch.inf)
    return torch.softmax(s, dim=-1) @ v
