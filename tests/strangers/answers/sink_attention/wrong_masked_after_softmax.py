# Multiplies the mask of window and sinks onto weights that were normalised over all earlier keys and does not normalise again: right only while the window hides nothing.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    i = torch.arange(n_q)[:, None] + (n_k - n_q)
    j = torch.arange(n_k)[None]
    P = torch.softmax((scale * q @ k.T).masked_fill(j > i, -torch.inf), dim=-1)
    P = P * ((j > i - window) | (j < sinks))
    return P @ v
