# Keeps a finished (already divided) output of the keys so far and mixes each new tile in by its share of the denominator.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for first in range(0, n_q, tile_m):
        Q = hbm.load("Q", first, first + tile_m)
        out, peak, total = None, None, None
        for start in range(0, n_k, tile_n):
            K = hbm.load("K", start, start + tile_n)
            V = hbm.load("V", start, start + tile_n)
            S = torch.einsum("md,nd->mn", Q, K) * scale
            here = S.amax(-1)
            if out is None:
                peak = here
                P = torch.exp(S - peak[:, None])
                total = P.sum(-1)
                out = (P / total[:, None]) @ V
                continue
            new_peak = torch.maximum(peak, here)
            P = torch.exp(S - new_peak[:, None])
            before = total * torch.exp(peak - new_peak)
            total = before + P.sum(-1)
            out = (before / total)[:, None] * out + (P / total[:, None]) @ V
            peak = new_peak
        hbm.store("O", first, out)
        hbm.store("L", first, peak + torch.log(total))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
