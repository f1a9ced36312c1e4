# everything on its side (keys times queries), base 2, offsets that walk; keeps the contract
@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q_t = tl.trans(tl.load(q_ptr + here))  # (D, TILE_M)
    factor = scale * 1.4426950408889634
    walk = tl.arange(0, TILE_N)[:, None] * D + columns[None, :]
    top = tl.full((1, TILE_M), float("-inf"), tl.float32)
    total = tl.zeros((1, TILE_M), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for tile in range(n_k // TILE_N):
        k = tl.load(k_ptr + walk)
        s_t = tl.dot(k, q_t, input_precision="ieee") * factor  # (TILE_N, TILE_M)
        higher = tl.maximum(top, tl.max(s_t, axis=0)[None, :])
        p_t = tl.exp2(s_t - higher)
        fade = tl.exp2(top - higher)
        total = total * fade + tl.sum(p_t, axis=0)[None, :]
        v = tl.load(v_ptr + walk)
        acc = acc * tl.trans(fade)
        acc += tl.dot(tl.trans(p_t).to(v.dtype), v, input_precision="ieee")
        top = higher
        walk += TILE_N * D
    acc = acc / tl.trans(total)
    tl.store(o_ptr + here, acc.to(o_ptr.dtype.element_ty))


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
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
