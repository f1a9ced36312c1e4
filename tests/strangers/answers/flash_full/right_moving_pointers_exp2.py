# Pointers to K transposed and to V move on by a tile in a loop over tile numbers; base 2 with the scale folded into the scores before the maximum, so any sign of it is fine.
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
    q = tl.load(q_ptr + here)
    tile = tl.arange(0, TILE_N)
    kt_ptrs = k_ptr + tile[None, :] * D + columns[:, None]
    v_ptrs = v_ptr + tile[:, None] * D + columns[None, :]
    row_max = tl.full([TILE_M], float("-inf"), dtype=tl.float32)
    row_sum = tl.full([TILE_M], 0.0, dtype=tl.float32)
    acc = tl.zeros([TILE_M, D], dtype=tl.float32)
    factor = scale * 1.4426950408889634
    for _ in range(n_k // TILE_N):
        logits = tl.dot(q, tl.load(kt_ptrs), input_precision="ieee") * factor
        new_max = tl.maximum(row_max, tl.max(logits, 1))
        weights = tl.math.exp2(logits - new_max[:, None])
        correction = tl.math.exp2(row_max - new_max)
        row_sum = row_sum * correction + tl.sum(weights, 1)
        v = tl.load(v_ptrs)
        acc = acc * correction[:, None]
        acc = tl.dot(weights.to(v.dtype), v, acc, input_precision="ieee")
        row_max = new_max
        kt_ptrs += TILE_N * D
        v_ptrs += TILE_N * D
    tl.store(o_ptr + here, (acc * (1.0 / row_sum)[:, None]).to(o_ptr.dtype.element_ty))


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
