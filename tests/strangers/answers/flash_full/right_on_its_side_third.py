# everything on its side: scores (TILE_N, TILE_M), accumulator (D, TILE_M), reductions along axis 0
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
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    q = tl.load(q_ptr + here)
    turned = columns[:, None] + rows[None, :] * D
    acc = tl.zeros((D, TILE_M), tl.float32)
    total = tl.zeros((TILE_M,), tl.float32)
    top = tl.full((TILE_M,), float("-inf"), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None] * D + columns[None, :])
        s = tl.dot(k, q.T, input_precision="ieee") * scale
        higher = tl.maximum(top, tl.max(s, axis=0))
        alpha = tl.exp(top - higher)
        p = tl.exp(s - higher[None, :])
        total = total * alpha + tl.sum(p, axis=0)
        v_turned = tl.load(v_ptr + keys[None, :] * D + columns[:, None])
        acc = acc * alpha[None, :]
        acc += tl.dot(v_turned, p.to(v_turned.dtype), input_precision="ieee")
        top = higher
    o = acc / total[None, :]
    tl.store(o_ptr + turned, o.to(o_ptr.dtype.element_ty))


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
