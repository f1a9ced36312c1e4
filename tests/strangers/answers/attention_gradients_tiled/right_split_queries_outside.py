# Queries outside by torch.split of views, written out without the helpers, delta once per tile of queries.
def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    last = 0
    for q_, o_, do_, L_, dq_ in zip(*(x.split(tile_m) for x in (q, o, do, L, dq))):
        delta = (o_ * do_).sum(dim=-1, keepdim=True)
        norm = torch.where(L_ == -torch.inf, torch.inf, L_)[:, None]
        seen = torch.arange(last, last + len(q_))[:, None] + n_k - n_q
        last += len(q_)
        begin = 0
        for k_, v_, dk_, dv_ in zip(*(x.split(tile_n) for x in (k, v, dk, dv))):
            s = scale * (q_ @ k_.T)
            if causal:
                s.masked_fill_(torch.arange(begin, begin + len(k_)) > seen, -torch.inf)
            begin += len(k_)
            p = torch.exp(s - norm)
            dv_ += p.T @ do_
            p *= do_ @ v_.T - delta
            dq_ += scale * (p @ k_)
            dk_ += scale * (p.T @ q_)
    return dq, dk, dv
