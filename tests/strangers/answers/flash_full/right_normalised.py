# FlashAttention-1: the output is normalised after every tile, powers of 2, keys loaded as (D, TILE_N)
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
    here = rows[:, None] * D + columns  # (TILE_M, D)
    q = tl.load(q_ptr + here)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns  # values
        k_t = tl.load(k_ptr + keys[None, :] * D + columns[:, None])
        v = tl.load(v_ptr + there)
        s = tl.dot(q, k_t, input_precision="ieee") * (scale * 1.4426950408889634)
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        past = alpha * l
        l = past + tl.sum(p, axis=1)
        fresh = tl.dot(p.to(v.dtype), v, input_precision="ieee")
        acc = (past / l)[:, None] * acc + fresh / l[:, None]
        m = m_new
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
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
