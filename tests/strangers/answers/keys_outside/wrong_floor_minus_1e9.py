# Starts the maximum that is subtracted at -1e9: queries whose scores lie below get 0 / 0.
def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, v.shape[1]), m=q.new_full((n_q,), -torch.inf), l=q.new_zeros(n_q))
    del q, k, v
    for j in range(0, n_k, tile_n):
        kt, vt = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            s = hbm.load("Q", i, i + tile_m) @ kt.T * scale
            o, m, l = (hbm.load(n, i, i + tile_m) for n in "Oml")
            new = torch.maximum(m, s.amax(1))
            ref = new.clamp(min=-1e9)
            p = torch.exp(s - ref[:, None])
            past = l * torch.exp(m - ref)
            both = past + p.sum(1)
            hbm.store("O", i, (past[:, None] * o + p @ vt) / both[:, None])
            hbm.store("m", i, new)
            hbm.store("l", i, both)
    o, m, l = (hbm.tensors[n] for n in "Oml")
    return o, m, l, hbm.loads, hbm.stores
