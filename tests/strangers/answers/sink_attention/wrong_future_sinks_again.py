# Wrong: lets every query see all sinks, also those behind it: the causal condition stands with the window only; right for sinks <= 1 and for queries at positions >= sinks - 1.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    hidden = torch.ones(n_q, n_k, dtype=torch.bool)
    for i in range(n_q):
        p = i + n_k - n_q
        hidden[i, max(0, p - window + 1) : p + 1] = False
    hidden[:, :sinks] = False
    scores = torch.where(hidden, -torch.inf, scale * (q @ k.T))
    return torch.softmax(scores, dim=-1) @ v
