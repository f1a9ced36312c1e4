# Wrong: adds up exp(score) of window and sinks without subtracting a maximum; overflows to NaN for scores above 88 and divides 0 by 0 where all seen scores are below about -104.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    row = torch.arange(n_q)[:, None] + n_k - n_q
    col = torch.arange(n_k)[None, :]
    near = (col <= row) & (col > row - window)
    sink = (col <= row) & (col < sinks) & ~near
    weights = (near | sink) * torch.exp(scale * torch.einsum("id,jd->ij", q, k))
    numerator = weights @ v
    denominator = weights.sum(1)
    return numerator / denominator.unsqueeze(1)
