# Wrong: the maximum is taken with a mask that is one key short, so the last key counts but not for the maximum; its exponential overflows where it scores 88 more than all others.
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
    inside = rows[:, None] < n_q
    q = tl.load(q_ptr + here, mask=inside, other=0.0)
    peak = tl.full((TILE_M,), float("-inf"), tl.float32)
    mass = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    start = 0
    while start < n_k:
        keys = start + tl.arange(0, TILE_N)
        exists = keys < n_k
        there = keys[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + there, mask=exists[:, None], other=0.0)
        bias = tl.where(exists, 0.0, float("-inf"))
        s = tl.dot(q, k.T, input_precision="ieee") * scale + bias[None, :]
        others = tl.where(keys[None, :] < tl.maximum(n_k - 1, 1), s, float("-inf"))
        top = tl.maximum(peak, tl.max(others, axis=1))
        w = tl.exp(s - top[:, None])
        fade = tl.exp(peak - top)
        mass = mass * fade + tl.sum(w, axis=1)
        v = tl.load(v_ptr + there, mask=exists[:, None], other=0.0)
        acc = acc * fade[:, None] + tl.dot(w.to(v.dtype), v, input_precision="ieee")
        peak = top
        start += TILE_N
    o = acc / mass[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=inside)


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
