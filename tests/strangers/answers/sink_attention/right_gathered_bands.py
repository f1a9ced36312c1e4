# Right: gathers for each query its band of keys (at most min(window, N_k)) by a table of positions, masks positions before the beginning; the sinks that lie before its band are gathered beside it.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    width = min(window, n_k)
    p = torch.arange(n_k - n_q, n_k)
    band = p[:, None] - torch.arange(width)  # itself, the one before it, ...
    first = torch.arange(min(sinks, n_k)).expand(n_q, -1)
    outside = torch.cat([band < 0, first >= (p[:, None] - width + 1).clamp(min=0)], dim=1)
    band = torch.cat([band, first], dim=1)
    band = band.clamp(min=0)
    s = torch.einsum("id,iwd->iw", q, k[band]) * scale
    s = s.masked_fill(outside, -torch.inf)
    return torch.einsum("iw,iwd->id", torch.softmax(s, dim=1), v[band])
