# torch.split with the keys outside, hidden tiles skipped, gradients grow through addmm_ on views of the results
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
    """The gradients of attention, one head, from tiles of tile_m queries and tile_n keys.

    q, k, v, o, L, do, causal, scale: as in `attention_gradients`. The last tile of either side
    is what is left.
    Returns dq (N_q, d), dk (N_k, d), dv (N_k, d_v), same dtype.
    Memory: the three gradients and a few numbers for each entry of one tile,
    O((N_q + N_k) (d + d_v) + tile_m tile_n). Torch runs at most 80 operations for each pair of
    tiles, hidden ones too, plus 80 for each tile of either side.
    Forbidden: softmax, logsumexp, scaled_dot_product, backward, autograd, requires_grad,
    vjp, jacobian. It stays within torch and Python. Arguments stay as they are, and results
    are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    query_parts = list(zip(*(x.split(tile_m) for x in (q, o, L, do, dq))))
    first_key = 0
    for kt, vt, dkt, dvt in zip(*(x.split(tile_n) for x in (k, v, dk, dv))):
        keys = torch.arange(first_key, first_key + len(kt))
        first_query = 0
        for qt, ot, Lt, dot, dqt in query_parts:
            last = first_query + len(qt) - 1 + n_k - n_q
            if not causal or first_key <= last:
                p = torch.exp(scale * torch.mm(qt, kt.T) - Lt[:, None])
                if causal:
                    queries = torch.arange(first_query, first_query + len(qt))
                    hidden = keys[None, :] > queries[:, None] + (n_k - n_q)
                    p.masked_fill_(hidden, 0.0)
                dvt.addmm_(p.T, dot)
                ds = torch.mm(dot, vt.T)
                ds -= (dot * ot).sum(dim=1, keepdim=True)
                ds *= p
                dqt.addmm_(ds, kt, alpha=scale)
                dkt.addmm_(ds.T, qt, alpha=scale)
            first_query += len(qt)
        first_key += len(kt)
    return dq, dk, dv
