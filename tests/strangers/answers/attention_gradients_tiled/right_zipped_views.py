# Cuts all tensors with torch.split, walks over zipped views, keys outside, and adds in place with addmm_.
def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    key = 0
    for kj, vj, dkj, dvj in zip(*(x.split(tile_n) for x in (k, v, dk, dv))):
        columns = torch.arange(key, key + len(kj))
        query = n_k - n_q
        for qi, oi, doi, dqi, Li in zip(*(x.split(tile_m) for x in (q, o, do, dq, L))):
            rows = torch.arange(query, query + len(qi)).unsqueeze(1)
            query += len(qi)
            exponent = torch.addmm(-Li.unsqueeze(1), qi, kj.T, alpha=scale)
            if causal:
                exponent = exponent.masked_fill(columns > rows, float("-inf"))
            p = exponent.exp()
            ds = p * (doi @ vj.T - (doi * oi).sum(1, keepdim=True))
            dvj.addmm_(p.T, doi)
            dkj.addmm_(ds.T, qi, alpha=scale)
            dqi.addmm_(ds, kj, alpha=scale)
        key += len(kj)
    return dq, dk, dv
