# The band as a product of two triangles, the sinks as the first columns of the lower one.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    w, offset = min(window, n_k), n_k - n_q
    band = torch.ones(n_q, n_k, dtype=torch.bool).tril(offset)
    band[:, sinks:] = band.triu(offset - w + 1)[:, sinks:]
    s = torch.where(band, scale * torch.mm(q, k.mT), -torch.inf)
    return (s - s.logsumexp(dim=-1, keepdim=True)).exp().mm(v)
