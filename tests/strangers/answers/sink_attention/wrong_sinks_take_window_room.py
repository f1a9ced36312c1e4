# Reads window as the size of the whole cache (StreamingLLM's start_size + recent_size): only window - sinks recent tokens are seen when sinks > 0.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    recent = max(1, window - sinks)
    p = torch.arange(n_k)[n_k - n_q :, None]
    j = torch.arange(n_k)[None]
    ok = ((p - j < recent) | (j < sinks)) & (p >= j)
    w = torch.where(ok, q @ k.mT * scale, -torch.inf)
    return w.softmax(1) @ v
