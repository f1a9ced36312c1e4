# Walks the chunks from the last to the first without online_chunk, o kept normalised as a mean with weight l.
def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = q.new_zeros(n_q, v.shape[1])
    top = q.new_full((n_q, 1), -torch.inf)
    den = q.new_zeros(n_q, 1)
    for b in reversed(range(-(-n_k // tile_n))):
        span = slice(b * tile_n, min(n_k, (b + 1) * tile_n))
        s = scale * (q @ k[span].T)
        if causal:
            ban = torch.ones_like(s, dtype=torch.bool).triu(n_k - n_q - span.start + 1)
            s = s.masked_fill(ban, -torch.inf)
        high = torch.maximum(top, s.amax(1, keepdim=True))
        at = torch.where(high > -torch.inf, high, 0.0)
        p, past = torch.exp(s - at), den * torch.exp(top - at)
        den = past + p.sum(1, keepdim=True)
        inverse = 1 / torch.where(den > 0, den, 1.0)
        out = (past * inverse) * out + (p * inverse) @ v[span]
        top = high
    return out
