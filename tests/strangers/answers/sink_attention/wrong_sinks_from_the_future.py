# "or j < sinks" escapes the causal comparison: tokens at positions below sinks - 1 see later sinks.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dist = (torch.arange(n_q) + n_k - n_q)[:, None] - torch.arange(n_k)[None, :]
    keep = (dist >= 0) & (dist < window)
    keep[:, :sinks] = True
    scores = torch.einsum("qd,kd->qk", q, k).mul(scale)
    return scores.masked_fill(~keep, -torch.inf).softmax(-1) @ v
