# adds a vector of 0 and -inf to the scaled scores; exp2; pointers advanced
@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    own = rows[:, None] < n_q
    q = tl.load(q_ptr + here, mask=own, other=0.0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    lane = tl.arange(0, TILE_N)
    at = lane[:, None] * D + columns
    left = n_k
    while left > 0:
        k = tl.load(k_ptr + at, mask=lane[:, None] < left, other=0.0)
        v = tl.load(v_ptr + at, mask=lane[:, None] < left, other=0.0)
        wall = tl.where(lane < left, 0.0, float("-inf"))
        t = tl.dot(q, k.T, input_precision="ieee") * (scale * 1.4426950408889634) + wall[None, :]
        m_new = tl.maximum(m, tl.max(t, axis=1))
        a = tl.exp2(m - m_new)
        p = tl.exp2(t - m_new[:, None])
        l = l * a + tl.sum(p, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
        at += TILE_N * D
        left -= TILE_N
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=own)


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
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
