# torch.split gives views of tiles, the gradients are added through views with addmm_
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
    row = 0
    for Q, O, dO, lse, dQ in zip(*(x.split(tile_m) for x in (q, o, do, L, dq))):
        delta = (O * dO).sum(dim=1, keepdim=True)
        shift = lse.masked_fill(lse == -torch.inf, 0.0)[:, None]
        last = torch.arange(row, row + len(Q), device=q.device)[:, None] + (n_k - n_q)
        column = 0
        for K, V, dK, dV in zip(*(x.split(tile_n) for x in (k, v, dk, dv))):
            if causal and column > row + len(Q) - 1 + n_k - n_q:
                break
            P = (Q @ K.T).mul_(scale).sub_(shift).exp_()
            if causal:
                keys = torch.arange(column, column + len(K), device=q.device)
                P.masked_fill_(keys > last, 0.0)
            dV.addmm_(P.T, dO)
            dS = (dO @ V.T).sub_(delta).mul_(P)
            dQ.addmm_(dS, K, alpha=scale)
            dK.addmm_(dS.T, Q, alpha=scale)
            column += len(K)
        row += len(Q)
    return dq, dk, dv
