# Right: while loop over keys, generator loads, einsum, the two shares of the new denominator as normalised weights.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    left = 0
    while left < n_k:
        keys = hbm.load("K", left, left + tile_n)
        values = hbm.load("V", left, left + tile_n)
        for top in range(0, n_q, tile_m):
            x, out, peak, mass = (hbm.load(name, top, top + tile_m) for name in ("Q", "O", "m", "l"))
            logits = torch.einsum("ic,jc->ij", x, keys) * scale
            new_peak = torch.max(peak, logits.max(dim=1).values)
            weights = (logits - new_peak.unsqueeze(1)).exp()
            before = mass * (peak - new_peak).exp()
            new_mass = before + weights.sum(dim=1)
            share = (before / new_mass).unsqueeze(1)
            out = share * out + torch.einsum("ij,jc->ic", weights / new_mass.unsqueeze(1), values)
            hbm.store("O", top, out)
            hbm.store("m", top, new_peak)
            hbm.store("l", top, new_mass)
        left += tile_n
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
