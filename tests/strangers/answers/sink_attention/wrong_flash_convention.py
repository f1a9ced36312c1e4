# Uses FlashAttention's (window, 0) convention: `window` tokens before the token and itself, one too many from position `window` on.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = torch.arange(n_q)[:, None] + n_k - n_q
    cols = torch.arange(n_k)[None, :]
    local = (cols <= rows) & ((cols >= rows - window) | (cols < sinks))
    att = (q @ k.T * scale).masked_fill(~local, float("-inf"))
    return att.softmax(-1) @ v
