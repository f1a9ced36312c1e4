# Right: pointers advanced instead of recomputed, base-2 exponentials after scaling (so any sign of scale works), dot with accumulator.
@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    tile = tl.arange(0, TILE_N)[:, None] * D + columns[None, :]
    k_at, v_at = k_ptr + tile, v_ptr + tile
    factor = scale * 1.4426950408889634
    q = tl.load(q_ptr + here)
    best = tl.full((TILE_M,), float("-inf"), tl.float32)
    total = tl.zeros((TILE_M,), tl.float32)
    out = tl.zeros((TILE_M, D), tl.float32)
    for _ in range(0, n_k, TILE_N):
        bits = tl.dot(q, tl.trans(tl.load(k_at)), input_precision="ieee") * factor
        new = tl.maximum(best, tl.max(bits, axis=1))
        fade = tl.exp2(best - new)
        w = tl.exp2(bits - new[:, None])
        v = tl.load(v_at)
        total = total * fade + tl.sum(w, axis=1)
        out = tl.dot(w.to(v.dtype), v, out * fade[:, None], input_precision="ieee")
        best = new
        k_at += TILE_N * D
        v_at += TILE_N * D
    tl.store(o_ptr + here, (out / total[:, None]).to(o_ptr.dtype.element_ty))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
