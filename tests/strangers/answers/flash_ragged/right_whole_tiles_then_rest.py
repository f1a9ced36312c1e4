# helper for one tile; whole tiles of keys without any mask, then the rest with one; numerator kept divided by the running sum, so nothing to divide at the end
@triton.jit
def _one_tile(
    o, m, l, q, k_ptr, v_ptr, start, n_k, scale,
    D: tl.constexpr, TILE_N: tl.constexpr, REST: tl.constexpr,
):  # fmt: skip
    keys = start + tl.arange(0, TILE_N)
    there = keys[:, None] * D + tl.arange(0, D)[None, :]
    if REST:
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0.0)
    else:
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
    if REST:
        s = tl.where(keys[None, :] < n_k, s, float("-inf"))
    m_new = tl.maximum(m, tl.max(s, axis=1))
    p = tl.exp(s - m_new[:, None])
    past = l * tl.exp(m - m_new)
    l_new = past + tl.sum(p, axis=1)
    o = o * (past / l_new)[:, None]
    o += tl.dot((p).to(v.dtype), v, input_precision="ieee") / l_new[:, None]
    return o, m_new, l_new


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    here = head * n_q * D + rows[:, None] * D + tl.arange(0, D)[None, :]
    mine = rows[:, None] < n_q
    q = tl.load(q_ptr + here, mask=mine, other=0.0)
    o = tl.zeros((TILE_M, D), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    k_ptr += head * n_k * D
    v_ptr += head * n_k * D
    whole = n_k // TILE_N * TILE_N
    for start in range(0, whole, TILE_N):
        o, m, l = _one_tile(o, m, l, q, k_ptr, v_ptr, start, n_k, scale, D, TILE_N, False)
    for start in range(whole, n_k, TILE_N):
        o, m, l = _one_tile(o, m, l, q, k_ptr, v_ptr, start, n_k, scale, D, TILE_N, True)
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=mine)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[((n_q + tile_m - 1) // tile_m, batch * heads)](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o
