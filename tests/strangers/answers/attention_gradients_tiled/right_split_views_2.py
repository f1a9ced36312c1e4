# keys outside; tiles are the views that split gives, and the shares are added into them by addmm_
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
    j = 0
    for kt, vt, dkt, dvt in zip(*(x.split(tile_n) for x in (k, v, dk, dv))):
        i = 0
        for qt, ot, Lt, gt, dqt in zip(*(x.split(tile_m) for x in (q, o, L, do, dq))):
            p = torch.exp((qt @ kt.mT).mul_(scale).sub_(Lt.unsqueeze(1)))
            if causal:
                distance = torch.arange(i, i + len(qt))[:, None] + offset
                p.masked_fill_(torch.arange(j, j + len(kt)) > distance, 0.0)
            dvt.addmm_(p.mT, gt)
            ds = (gt @ vt.mT).sub_((gt * ot).sum(1, keepdim=True)).mul_(p)
            dqt.addmm_(ds, kt, alpha=scale)
            dkt.addmm_(ds.mT, qt, alpha=scale)
            i += len(qt)
        j += len(kt)
    return dq, dk, dv
