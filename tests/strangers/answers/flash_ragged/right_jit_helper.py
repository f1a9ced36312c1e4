# a jitted helper for whole tiles, the ragged tile peeled off with masks and an additive bias; keeps the contract
@triton.jit
def _fold(acc, m, l, s, v):
    m_new = tl.maximum(m, tl.max(s, axis=1))
    p = tl.exp2(s - m_new[:, None])
    fade = tl.exp2(m - m_new)
    l = l * fade + tl.sum(p, axis=1)
    acc = tl.dot(p.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
    return acc, m_new, l


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
    inside = rows < n_q
    q = tl.load(q_ptr + here, mask=inside[:, None], other=0)
    factor = scale * 1.4426950408889634
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    local = tl.arange(0, TILE_N)
    whole = n_k // TILE_N * TILE_N
    for start in range(0, whole, TILE_N):
        there = (start + local)[:, None] * D + columns
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * factor
        acc, m, l = _fold(acc, m, l, s, v)
    if whole < n_k:
        left = n_k - whole
        there = (whole + local)[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=local[:, None] < left, other=0)
        v = tl.load(v_ptr + there, mask=local[:, None] < left, other=0)
        bias = tl.where(local < left, 0.0, float("-inf"))
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * factor + bias[None, :]
        acc, m, l = _fold(acc, m, l, s, v)
    tl.store(o_ptr + here, acc / l[:, None], mask=inside[:, None])


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
