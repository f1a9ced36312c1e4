# both weights divided by the new sum first, so that the output is a weighted mean of old and new
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for key in range(0, n_k, tile_n):
        keys = hbm.load("K", key, key + tile_n)
        values = hbm.load("V", key, key + tile_n)
        for row in range(0, n_q, tile_m):
            query, mean, top, mass = (
                hbm.load(name, row, row + tile_m) for name in ("Q", "O", "m", "l")
            )
            scores = torch.einsum("id,jd->ij", query, keys) * scale
            higher = torch.maximum(top, scores.max(dim=1).values)
            fresh = (scores - higher.unsqueeze(1)).exp_()
            old = mass * (top - higher).exp()
            mass = old + fresh.sum(dim=1)
            mean = (old / mass).unsqueeze(1) * mean + (fresh / mass.unsqueeze(1)) @ values
            for name, tile in (("O", mean), ("m", higher), ("l", mass)):
                hbm.store(name, row, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
