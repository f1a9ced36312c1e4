# the new output is a convex mix: old share times O plus normalised weights times V, state handled in a dict
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for c in range(0, n_k, tile_n):
        keys, values = (hbm.load(name, c, c + tile_n) for name in "KV")
        for r in range(0, n_q, tile_m):
            queries = hbm.load("Q", r, r + tile_m)
            state = {name: hbm.load(name, r, r + tile_m) for name in ("O", "m", "l")}
            scores = (queries @ keys.T).mul_(scale)
            top = torch.maximum(state["m"], scores.max(dim=1).values)
            weights = scores.sub_(top[:, None]).exp_()
            old = state["l"] * (state["m"] - top).exp()
            total = old + weights.sum(dim=1)
            mixed = (old / total)[:, None] * state["O"] + (weights / total[:, None]) @ values
            for name, tile in zip(("O", "m", "l"), (mixed, top, total)):
                hbm.store(name, r, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
