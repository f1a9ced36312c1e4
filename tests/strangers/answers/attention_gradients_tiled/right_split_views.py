# walks zip of split views of all the tensors, in-place additions into views, tiles that nobody sees are jumped over
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
    offset = n_k - n_q
    for j, (kj, vj, dkj, dvj) in enumerate(zip(*(x.split(tile_n) for x in (k, v, dk, dv)))):
        keys = j * tile_n + torch.arange(len(kj))
        for i, (qi, oi, Li, doi, dqi) in enumerate(zip(*(x.split(tile_m) for x in (q, o, L, do, dq)))):
            queries = i * tile_m + torch.arange(len(qi))
            if causal and keys[0] > queries[-1] + offset:
                continue
            p = torch.exp(scale * qi @ kj.T - Li[:, None])
            hidden = (Li == -torch.inf)[:, None]
            if causal:
                hidden = hidden | (keys > queries[:, None] + offset)
            p.masked_fill_(hidden, 0)
            dvj += p.T @ doi
            p *= doi @ vj.T - (doi * oi).sum(1, keepdim=True)
            p *= scale
            dqi += p @ kj
            dkj += p.T @ qi
    return dq, dk, dv
