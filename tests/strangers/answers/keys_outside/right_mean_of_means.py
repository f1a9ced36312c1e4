# right: helper for one visit; the new output as a weighted mean, addmm of the old part with P already divided by l'
def _visit(state, S, values):
    o, m, l = (part if part.dim() == 2 else part.unsqueeze(1) for part in state)
    top = torch.maximum(m, S.amax(dim=1, keepdim=True))
    P = torch.exp(S - top)
    past = l * torch.exp(m - top)
    total = past + P.sum(dim=1, keepdim=True)
    o = torch.addmm(o * (past / total), P / total, values)
    return {"O": o, "m": top.squeeze(1), "l": total.squeeze(1)}


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    key = 0
    while key < n_k:
        keys, values = (hbm.load(name, key, min(key + tile_n, n_k)) for name in "KV")
        query = 0
        while query < n_q:
            end = min(query + tile_m, n_q)
            S = torch.mm(hbm.load("Q", query, end), keys.T).mul_(scale)
            state = [hbm.load(name, query, end) for name in ("O", "m", "l")]
            for name, tile in _visit(state, S, values).items():
                hbm.store(name, query, tile)
            query = end
        key += tile_n
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
