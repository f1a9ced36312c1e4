# Begins with the ragged last tile and walks to the front; the mask is a row of 0 and -inf that is added to the scores; base 2.
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
    real_q = (rows < n_q)[:, None]
    q = tl.load(q_ptr + here, mask=real_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    c = scale * 1.4426950408889634
    tiles = tl.cdiv(n_k, TILE_N)
    for t in range(tiles):
        keys = (tiles - 1 - t) * TILE_N + tl.arange(0, TILE_N)
        real = keys < n_k
        bias = tl.where(real, 0.0, float("-inf"))
        k_t = tl.load(k_ptr + keys[None, :] * D + columns[:, None], mask=real[None, :], other=0)
        s = tl.dot(q, k_t, input_precision="ieee") * c + bias[None, :]
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        l = l * alpha + tl.sum(p, axis=1)
        v = tl.load(v_ptr + keys[:, None] * D + columns[None, :], mask=real[:, None], other=0)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, acc / l[:, None], mask=real_q)


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
