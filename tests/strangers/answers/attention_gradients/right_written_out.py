# written out without helpers; the scale is put into a copy of q and into the score gradients once
def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    s = (q @ k.mT) * scale
    safe = torch.where(L == -torch.inf, torch.zeros_like(L), L)
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, -torch.inf))
    p = torch.exp(s - safe[:, None])
    delta = (o * do).sum(-1, keepdim=True)
    g = scale * p * (do @ v.mT - delta)
    return g @ k, g.mT @ q, p.mT @ do
