# right: walks from the last chunk to the first (the order is free), normalised after every chunk, self-contained; addmm adds the new part
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
    last_seen = torch.arange(n_q).unsqueeze(1) + (n_k - n_q)
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    for start in reversed(range(0, n_k, tile_n)):
        stop = min(start + tile_n, n_k)
        P = torch.mm(q, k[start:stop].T).mul_(scale)
        if causal:
            P.masked_fill_(torch.arange(start, stop) > last_seen, -torch.inf)
        top = torch.maximum(m, P.amax(dim=1, keepdim=True))
        base = torch.where(top.isneginf(), 0.0, top)
        P.sub_(base).exp_()
        past = l * torch.exp(m - base)
        l = past + P.sum(dim=1, keepdim=True)
        inverse = torch.where(l > 0, 1 / l, 0.0)
        o = torch.addmm(o * (past * inverse), P.mul_(inverse), v[start:stop])
        m = top
    return o
