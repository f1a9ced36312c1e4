# Right: the tile becomes a result of its own (output, maximum, denominator), which is mixed into the loaded state by shares.
def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l

    def alone(queries, keys, values):
        s = torch.einsum("id,jd->ij", queries, keys) * scale
        top = s.amax(dim=1)
        p = (s - top[:, None]).exp()
        weight = p.sum(dim=1)
        return (p @ values) / weight[:, None], top, weight

    for first_key in range(0, n_k, tile_n):
        keys = hbm.load("K", first_key, first_key + tile_n)
        values = hbm.load("V", first_key, first_key + tile_n)
        for first in range(0, n_q, tile_m):
            span = first, first + tile_m
            new_o, new_m, new_l = alone(hbm.load("Q", *span), keys, values)
            old_o, old_m, old_l = hbm.load("O", *span), hbm.load("m", *span), hbm.load("l", *span)
            top = torch.maximum(old_m, new_m)
            old_w, new_w = old_l * torch.exp(old_m - top), new_l * torch.exp(new_m - top)
            total = old_w + new_w
            mixed = (old_w / total)[:, None] * old_o + (new_w / total)[:, None] * new_o
            hbm.store("O", first, mixed)
            hbm.store("m", first, top)
            hbm.store("l", first, total)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
