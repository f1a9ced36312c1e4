# Right: exponentials to base 2 with log2(e) folded into the scale, state in a small closure, L turned back to natural at the end.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    log2e = 1.4426950408889634
    for i in range(0, n_q, tile_m):
        block = hbm.load("Q", i, i + tile_m)
        rows = block.shape[0]
        acc = block.new_zeros(rows, d_v)
        norm = block.new_zeros(rows, 1)
        top = block.new_full((rows, 1), float("-inf"))
        for j in range(0, n_k, tile_n):
            k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            bits = torch.mm(block, k_tile.t()).mul_(scale * log2e)
            new_top = torch.maximum(top, bits.amax(1, keepdim=True))
            fade = torch.exp2(top - new_top)
            bits = torch.exp2(bits - new_top)
            norm = norm * fade + bits.sum(1, keepdim=True)
            acc = torch.addmm(acc * fade, bits, v_tile)
            top = new_top
        hbm.store("O", i, acc / norm)
        hbm.store("L", i, ((top + torch.log2(norm)) / log2e)[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
