# splits keys and values with torch.split and moves the output towards each chunk's mean by its share, self-contained
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
    out = torch.zeros(n_q, v.shape[1], dtype=q.dtype, device=q.device)
    top = torch.full((n_q, 1), -torch.inf, dtype=q.dtype, device=q.device)
    den = torch.zeros_like(top)
    first = 0
    for kc, vc in zip(k.split(tile_n), v.split(tile_n)):
        scores = torch.mm(q, kc.t()).mul_(scale)
        if causal:
            hide = torch.ones_like(scores, dtype=torch.bool).triu_(n_k - n_q - first + 1)
            scores.masked_fill_(hide, -torch.inf)
        first += len(kc)
        new_top = torch.maximum(top, scores.amax(1, keepdim=True))
        ref = torch.where(new_top == -torch.inf, torch.zeros_like(top), new_top)
        e = scores.sub_(ref).exp_()
        old = den * torch.exp(top - ref)
        den = old + e.sum(1, keepdim=True)
        norm = torch.where(den > 0, den, torch.ones_like(den))
        out = out * (old / norm) + (e / norm) @ vc
        top = new_top
    return out
