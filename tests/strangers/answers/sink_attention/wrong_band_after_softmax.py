# Takes the causal softmax first, cuts the band and the sinks out of it and divides by what is left: 0/0 or lost digits where a key behind the window has a much larger score.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    past = n_k - n_q
    causal = torch.full((n_q, n_k), -torch.inf).triu(past + 1)
    P = torch.softmax(q @ k.T * scale + causal, dim=-1)
    P = torch.cat([P[:, :sinks], P.triu(past - window + 1)[:, sinks:]], dim=1)
    return (P @ v) / P.sum(dim=-1, keepdim=True)
