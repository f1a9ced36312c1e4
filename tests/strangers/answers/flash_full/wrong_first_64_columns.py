# Has at most 64 columns in a tile, and leaves out the rest where d is 128
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
    qT = tl.trans(tl.load(q_ptr + here))
    top = tl.full((TILE_M,), float("-inf"), tl.float32)
    mass = tl.zeros((TILE_M,), tl.float32)
    accT = tl.zeros((D, TILE_M), tl.float32)
    spot = tl.arange(0, TILE_N)[:, None] * D + columns[None, :]
    for _ in range(0, n_k, TILE_N):
        k = tl.load(k_ptr + spot)
        v = tl.load(v_ptr + spot)
        s = scale * tl.dot(k, qT, input_precision="ieee")
        new = tl.maximum(top, tl.max(s, axis=0))
        keep = tl.exp(top - new)
        p = tl.exp(s - new[None, :])
        mass = mass * keep + tl.sum(p, axis=0)
        accT = accT * keep[None, :] + tl.dot(tl.trans(v), p.to(v.dtype), input_precision="ieee")
        top = new
        spot += TILE_N * D
    out = tl.trans(accT / mass[None, :])
    tl.store(o_ptr + here, out.to(o_ptr.dtype.element_ty))


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
        q, k, v, o, n_q, k.shape[2], scale, D=min(d, 64), TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
